# Runs expressions while the C library has no memory at all (refuse.c): the interpreter's own allocations come from a
# reserve. Prints expressions that end otherwise than in a result, NoMemoryError or the error for a resource that is not
# available.
require "stringio"

EXPRESSIONS = DATA.each_line(chomp: true).map { |line| [line, eval("proc { #{line} }")] }
EXPRESSIONS.each do |expression, code|
  Process.getpgid(1 << 30 | 1 << 28 | 1)
  begin
    code.call
  rescue NoMemoryError, ThreadError, FiberError, RegexpError, Errno::ENOMEM
    nil
  end
  puts "#{expression}: nothing was refused" if Process.getpgid(1 << 30) == 1
rescue StandardError, ScriptError => error
  Process.getpgid(1 << 30)
  puts "#{expression}: #{error.class}: #{error.message[0, 100]}"
end
puts "all"

__END__
Thread.new { 1 }.value
20.times.map { Thread.new { Thread.current.name = "a" } }.each(&:join)
Fiber.new { Fiber.yield 1 }.resume
Mutex.new.synchronize { 1 }
Queue.new << 1
Random.new(1).rand
eval("def exhausted(a) = a.map { _1 + 1 }"); exhausted([1])
Class.new { def a = 1; attr_reader :b }.new.b
"exhausted#{1}".to_sym.to_proc
/(?<a>b+)#{1}/.match("b1")
Struct.new(:a, :b).new(1, 2).to_a
Time.now.strftime("%Y %c %Z")
IO.pipe.each(&:close)
File.read($0)
ObjectSpace.each_object(Class).count
binding.local_variables
Integer("1" * 100) ** 20
format("%s %p %f %x", :a, [1], 1.5, 255)
caller_locations(0).map(&:to_s)
Marshal.load(Marshal.dump([1, {a: "b"}]))
raise("exhausted") rescue $!.full_message
StringIO.new("a\nb").each_line.to_a
ENV.to_h.size
IO.popen(["true"]).close
`true`
