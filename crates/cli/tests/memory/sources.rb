# Evaluates sources of which one thing is large again and again, each time in a child in which another large allocation
# of native memory fails (refuse.c), until none is refused. The child must get NoMemoryError or the result; prints those
# that end in another way.
N = 1_200_000

SOURCES = {
  "string" => "'#{"a" * N}'", "symbol" => ":#{"a" * N}", "command" => "`#{"a" * N}`",
  "variable" => "#{"a" * N} = 1", "array" => "[#{"1," * 100_000}]", "blocks" => "a {};" * 30_000,
  "calls" => "a(*b);" * 60_000, "interpolations" => "[#{"\"\#{a}b\"," * 60_000}]",
  "warnings" => "{#{"a: 1," * 30_000}}", "nested" => "[#{"->{}," * 30_000}]", "methods" => "def a; end;" * 10_000
}

$stdout.sync = true
SOURCES.each do |name, source|
  (1..100).each do |number|
    reader, writer = IO.pipe
    child = fork do
      $stderr.reopen(writer)
      Process.getpgid(1 << 30 | 1 << 26 | number)
      begin
        eval("proc {#{source}}")
      rescue NoMemoryError
        exit!(0)
      end
      exit!(Process.getpgid(1 << 30) == 1 ? 4 : 0)
    end
    writer.close
    errors = reader.read
    _, status = Process.wait2(child)
    break if status.exitstatus == 4
    next if status.success?
    puts "#{name} #{number}: #{status.inspect} #{errors[0, 200]}"
  end
end
puts "all"
