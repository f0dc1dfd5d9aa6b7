require "mkmf"

abort "rb_funcall is not found" unless have_func("rb_funcall")
abort "rb_no_such_function is found" if have_func("rb_no_such_function")
create_makefile("thin")
