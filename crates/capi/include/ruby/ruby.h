/* The interface for extensions in C, by topic. */
#ifndef RUBY_RUBY_H
#define RUBY_RUBY_H 1
#define RUBY_INTERN_H 1
#define RUBY_DEFINES_H 1
#include "ruby/config.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
#include <inttypes.h>
#include <alloca.h>
#include <unistd.h>
#include <strings.h>
#include <math.h>
#include "ruby/internal/attributes.h"
#include "ruby/internal/value.h"
#include "ruby/st.h"
#include "ruby/internal/types.h"
#include "ruby/internal/globals.h"
#include "ruby/internal/event.h"
#ifdef __cplusplus
extern "C" {
#endif
#include "ruby/internal/functions.h"
#ifdef __cplusplus
}
#endif
#include "ruby/internal/basic.h"
#include "ruby/internal/numbers.h"
#include "ruby/internal/memory.h"
#include "ruby/internal/symbols.h"
#include "ruby/internal/containers.h"
#include "ruby/internal/data.h"
#include "ruby/internal/calls.h"
#include "ruby/util.h"
#include "ruby/missing.h"
#include "ruby/version.h"
#include "ruby/internal/further.h"
#endif
