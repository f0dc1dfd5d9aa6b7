/* Processes and their ends. */
#include "border.h"
#include <errno.h>
#include <signal.h>

static VALUE of_kernel(const char *name, int count, const VALUE *values)
{
    return rb_funcallv(rb_mKernel, rb_intern(name), count, values);
}

VALUE rb_f_exec(int count, const VALUE *values) { return of_kernel("exec", count, values); }

/* -1 with `errno` if the command cannot be executed. */
int rb_proc_exec(const char *command)
{
    execl("/bin/sh", "sh", "-c", command, (char *)0);
    return -1;
}

struct spawning {
    int count;
    const VALUE *values;
};

static VALUE spawn(VALUE data)
{
    struct spawning *given = (struct spawning *)data;
    return of_kernel("spawn", given->count, given->values);
}

static VALUE failed(VALUE message, VALUE exception)
{
    errno = NUM2INT(rb_funcallv(exception, rb_intern("errno"), 0, 0));
    if (message) rb_str_replace(message, rb_funcallv(exception, rb_intern("message"), 0, 0));
    return INT2FIX(-1);
}

/* -1 with `errno` if the program cannot be executed. */
pid_t rb_spawn(int count, const VALUE *values)
{
    struct spawning given = {count, values};
    return NUM2PIDT(rb_rescue2(spawn, (VALUE)&given, failed, 0, rb_eSystemCallError, (VALUE)0));
}

pid_t rb_spawn_err(int count, const VALUE *values, char *message, size_t size)
{
    struct spawning given = {count, values};
    VALUE text = rb_str_new(0, 0);
    pid_t pid = NUM2PIDT(rb_rescue2(spawn, (VALUE)&given, failed, text, rb_eSystemCallError, (VALUE)0));
    if (pid < 0 && size > 0) ruby_strlcpy(message, StringValueCStr(text), size);
    return pid;
}

void rb_syswait(pid_t pid)
{
    int status;
    rb_waitpid(pid, &status, 0);
}

VALUE rb_process_status_wait(pid_t pid, int flags)
{
    VALUE values[2] = {PIDT2NUM(pid), INT2FIX(flags)};
    VALUE status = rb_const_get(rb_mProcess, rb_intern("Status"));
    return rb_funcallv(status, rb_intern("wait"), 2, values);
}

const char *ruby_signal_name(int number)
{
    VALUE name = rb_funcall(rb_path2class("Signal"), rb_intern("signame"), 1, INT2FIX(number));
    return NIL_P(name) ? 0 : rb_id2name(rb_intern_str(name));
}

/* Ends the process by the signal's default action. */
void ruby_default_signal(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}
