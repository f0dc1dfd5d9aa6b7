require "mkmf"
create_makefile("border")
