#ifndef RUBY_BACKWARD_H
#define RUBY_BACKWARD_H 1
#endif
