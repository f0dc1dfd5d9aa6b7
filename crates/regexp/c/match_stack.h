/*
 * Included ahead of every C file that is compiled (`.cargo/config.toml`); it has an effect in Oniguruma's files only.
 *
 * Oniguruma keeps the backtrack stack of a match on the native stack at first, and at the end of each match copies all
 * of its room to the heap. Its room for 160 entries (5 KB) makes that copy, and its allocation, dearer than most
 * matches are. 24 entries and the positions of a few groups still come from malloc's lists of freed small blocks;
 * a match that needs more doubles the room.
 */
#if defined(__has_include)
#if __has_include("regint.h")
#include <stdio.h>
#include "regint.h"
#undef INIT_MATCH_STACK_SIZE
#define INIT_MATCH_STACK_SIZE 24
#endif
#endif
