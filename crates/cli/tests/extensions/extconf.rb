require "mkmf"

abort "rb_funcall is not found" unless have_func("rb_funcall")
abort "rb_no_such_function is found" if have_func("rb_no_such_function")
have_func("ruby_xfree_sized", "ruby.h")
create_makefile("thin")
