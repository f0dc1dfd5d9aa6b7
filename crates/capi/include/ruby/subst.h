#ifndef RUBY_SUBST_H
#define RUBY_SUBST_H 1
#endif
