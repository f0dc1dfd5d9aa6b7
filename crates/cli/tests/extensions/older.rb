# Older macros, overloaded functions in C++, Onigmo's patterns, trace points that a dfree disables, starting threads.
require "thin"

p Thin.basics("a"), Thin.basics([].freeze), Thin.descriptor($stdout), Thin.class_in_cxx(1..2), Thin.descriptor_in_cxx($stderr)
p [String, String.singleton_class, Object.new.singleton_class, Kernel.singleton_class].map { Thin.singleton?(it) }
p Thin.digit_values("09afzAZ /")
p Thin.plus_one, Thin.plus_one_and(2), Thin.plus_any(1, 2, 3), Thin.constant(1), Thin.cast(1, 2), Thin.lambda(:a)

reader, writer = IO.pipe
writer.set_encoding("iso-8859-1")
p Thin.raw(writer, "ü"), IO.pipe { |pair| pair.map(&:class) }
writer.close
p reader.read

name, arguments, path = Thin.program
p name, $0, arguments, path.last(2)
p Thin.deep(10), Thin.deep(1 << 30), Thin.stack_grows
p Thin.pattern("(b+)(?<n>c)?", "abb"), Thin.pattern("x", "abb"), Thin.pattern("(", "a")

def called = 1
2.times { p Thin.raw_hook { called } }
p Thin.threads_start { Thread.new { 1 } }

def watch(count) = count.times { Thin.watch }
def churn = 20_000.times { called; [it].first }
watch(10)
3.times { GC.start; churn }
puts Thin.watchers_freed > 5

p Thin.hidden_objects, Thin.surrogate.bytes, Thin.internal_hook
reader, writer = IO.pipe
writer << "a.b\nc"
$VERBOSE, separator, $/ = nil, $/, "."
p Thin.line(reader)
$/ = separator
point = Thin.data_class(Class.new(Data)).new(a: 1, b: 2)
p point.members, Thin.field(point, 1), Thin.field(point, :a)
p((Thin.caused rescue [$!.message, $!.cause.message]))
