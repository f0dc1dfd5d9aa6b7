# Recorded from CRuby 4.1dev.
require "ffi"
module C
  extend FFI::Library
  ffi_lib FFI::Library::LIBC
  attach_function :strlen, [:string], :size_t
  attach_function :abs, [:int], :int
  attach_function :getenv, [:string], :string
  callback :compare, [:pointer, :pointer], :int
  attach_function :qsort, [:pointer, :size_t, :size_t, :compare], :void
  attach_function :snprintf, [:pointer, :size_t, :string, :varargs], :int
  attach_function :div, [:int, :int], (Class.new(FFI::Struct) { layout :quotient, :int, :rest, :int }).by_value
end
p C.strlen("four"), C.abs(-5), C.getenv("NO_SUCH_VARIABLE"), (C.abs("x") rescue $!.class), (C.abs rescue $!.class)
numbers = FFI::MemoryPointer.new(:int, 5).write_array_of_int([5, 3, 9, -1, 4])
C.qsort(numbers, 5, 4) { |a, b| a.read_int <=> b.read_int }
p numbers.read_array_of_int(5)
buffer = FFI::MemoryPointer.new(:char, 64)
p C.snprintf(buffer, 64, "%d %s %.2f", :int, 7, :string, "text", :double, 1.5), buffer.read_string
p C.div(17, 5)[:quotient], C.div(17, 5)[:rest]
class Point < FFI::Struct
  layout :x, :double, :name, [:char, 8], :next, :pointer
end
point = Point.new
point[:x] = 2.5
point[:name].to_ptr.write_string("ab\0")
p Point.size, Point.offset_of(:next), point[:x], point[:name].to_s, point[:next].null?
(numbers.get_int(20) rescue p $!.class)
p FFI::Function.new(:int, [:int]) { |n| n + 1 }.call(41), FFI::Pointer.new(16).address, FFI.type_size(:long)
