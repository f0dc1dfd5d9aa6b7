/* Streams. */
#ifndef RUBY_IO_H
#define RUBY_IO_H 1
#include "ruby/ruby.h"
#include "ruby/encoding.h"
#include <errno.h>
#include <poll.h>
#define HAVE_RB_IO_T 1
#define RUBY_IO_READABLE 0x01
#define RUBY_IO_WRITABLE 0x04
#define RUBY_IO_PRIORITY 0x02
#define RB_WAITFD_IN 0x01
#define RB_WAITFD_PRI 0x02
#define RB_WAITFD_OUT 0x04
typedef enum rb_io_event {
    BENI_EVENT_READABLE = 1, BENI_EVENT_PRIORITY = 2, BENI_EVENT_WRITABLE = 4
} rb_io_event_t;
#define RUBY_IO_TIMEOUT_DEFAULT Qnil
#define RUBY_IO_WAIT_METHODS
/* The fields that old extensions read, filled by GetOpenFile. */
struct rb_io {
    VALUE self;
    FILE *stdio_file;
    int fd;
    int mode;
    VALUE pathv;
    int lineno;
    VALUE tied_io_for_writing;
    VALUE write_lock;
};
#define rb_write_error(s) rb_write_error2((s), (long)strlen(s))
#define rb_io_mode_flags rb_io_modestr_fmode
#define rb_io_modenum_flags rb_io_oflags_fmode
typedef struct rb_io_encoding rb_io_enc_t;
/* A copy for the expression. */
struct RFile {
    struct RBasic basic;
    struct rb_io *fptr;
};
#ifdef __cplusplus
static inline struct RFile beni_file(VALUE obj)
{
    struct RFile file = { { beni_flags(obj) }, (struct rb_io *)beni_io_structure(obj) };
    return file;
}
# define RFILE(obj) (::beni::view<struct RFile>(beni_file((VALUE)(obj))))
#else
# define RFILE(obj) (&(struct RFile){ { beni_flags((VALUE)(obj)) }, (struct rb_io *)beni_io_structure((VALUE)(obj)) })
#endif
#define RB_IO_POINTER(obj, fp) ((fp) = beni_io_structure(rb_io_taint_check(obj)), rb_io_check_closed(fp))
#define GetOpenFile RB_IO_POINTER
#define RB_IO_FPTR(obj) beni_io_structure(rb_io_taint_check(obj))
#define rb_io_check_closed(fp) beni_io_check((fp)->self, 0)
#define rb_io_check_readable(fp) beni_io_check((fp)->self, FMODE_READABLE)
#define rb_io_check_char_readable(fp) beni_io_check((fp)->self, FMODE_READABLE)
#define rb_io_check_byte_readable(fp) beni_io_check((fp)->self, FMODE_READABLE)
#define rb_io_check_writable(fp) beni_io_check((fp)->self, FMODE_WRITABLE)
#define rb_io_check_initialized(fp) ((void)0)
#define rb_io_set_nonblock(fp) beni_io_check((fp)->self, 0x10000)
#define rb_io_synchronized(fp) ((void)0)
#endif
