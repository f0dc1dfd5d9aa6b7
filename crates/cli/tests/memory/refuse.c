/* Preloaded: refuses large allocations of native memory. getpgid(1 << 30 | n) makes the n-th large allocation from then
 * on fail, and all after it; n = 0 ends that. 1 << 28 | n refuses small ones as well, 1 << 27 | n those above 128 KB,
 * the size of Beni's largest tables of fixed size; 1 << 26 | n only that one. It answers 2 if one was refused since the
 * last call, otherwise 1. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define LARGE (1 << 20)
#define SMALL_AS_WELL (1 << 28)
#define MIDDLE (128 << 10)
#define MIDDLE_AS_WELL (1 << 27)
#define ONLY_ONE (1 << 26)

static long countdown;
static size_t smallest = LARGE;
static int refused;
static int only_one;

static int refuses(size_t size)
{
    if (countdown == 0 || size < smallest)
        return 0;
    if (countdown > 1) {
        countdown--;
        return 0;
    }
    refused = 1;
    if (only_one)
        countdown = 0;
    errno = ENOMEM;
    return 1;
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { return refuses(size) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refuses(count * size) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return refuses(size) ? NULL : __libc_realloc(old, size); }

int posix_memalign(void **out, size_t align, size_t size)
{
    if (refuses(size))
        return ENOMEM;
    *out = __libc_memalign(align, size);
    return *out ? 0 : ENOMEM;
}

pid_t getpgid(pid_t of)
{
    static pid_t (*system_s)(pid_t);
    if (of < 1 << 30) {
        if (!system_s)
            system_s = (pid_t(*)(pid_t))dlsym(RTLD_NEXT, "getpgid");
        return system_s(of);
    }
    int was = refused;
    countdown = of & 0xffffff;
    smallest = of & SMALL_AS_WELL ? 0 : of & MIDDLE_AS_WELL ? MIDDLE + 1 : LARGE;
    only_one = of & ONLY_ONE;
    refused = 0;
    return was ? 2 : 1;
}
