$VERBOSE = nil
$log = []
def make(kind, other)
  Fiber.new(blocking: kind.odd?, storage: kind == 3 ? {a: 1} : true) do |x|
    $log << [kind, x]
    case kind
    when 0 then loop { x = Fiber.yield(x) }
    when 1 then begin; Fiber.yield(1, 2); ensure; $log << :ensured; Fiber.yield(3) rescue $log << $!.class; end
    when 2 then 3.times { |i| x = other ? other.resume(i) : Fiber.yield(i) }; x
    when 3 then Fiber[:b] = x; Fiber.yield(Fiber[:a], Fiber[:b]); raise IndexError, "x"
    when 4 then begin; Fiber.yield; rescue => e; retry if $log.size.odd?; e.class; end
    when 5 then throw :out, 5
    when 6 then [1, 2].each { |y| Fiber.yield y }.size
    when 7 then $f[0].transfer(7) rescue $!.class
    else Fiber.current.resume rescue $!.class
    end
  end
end
$f = [make(0, nil), make(1, nil), make(4, nil)]
$e = [[1, 2, 3].each, Enumerator.new { |y| y << 1; y.yield(2, 3); :done }, (1..).lazy.map { _1 * 2 }.each_entry]
def finish = puts($log.last(5).inspect)
__END__
$f[{i}] = make({kind}, nil)
$f[{i}] = make({kind}, $f[{i}])
$f[{i}].{act}
$f[{i}].{act}
$f[{i}].{act}
catch(:out) { $f[{i}].{act} }
$e[{i}].{next}
$e[{i}].{next}
$e[{i}] = {enum}
Fiber.new { $f[{i}].{act} }.resume
Fiber.new { Fiber.new { $f[{i}].{act}; Fiber.yield }.resume; $e[{i}].{next} }.resume
Thread.new { $f[{i}].{act} }.tap { _1.report_on_exception = false }.value
Thread.new { $e[{i}].{next} }.tap { _1.report_on_exception = false }.value
Fiber[:a] = {n}; [Fiber[:a], Fiber.current.storage]
Fiber.new(storage: {a: {n}}) { Fiber[:a] }.resume
$log.clear.size
GC.start; $f[{i}].alive?
$e[{i}].size
kind: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8
act: resume | resume({n}) | resume(1, 2) | transfer | transfer({n}) | raise | raise(KeyError) | raise(IOError, "m") | kill | alive? | blocking? | storage | backtrace&.size.class | to_s.size.class | raise(Class.new(Exception)) rescue $!.class.superclass
next: next | next | peek | rewind | next_values | peek_values | size | take(2) | feed({n}) | with_index({n}).to_a.size | next.then { $e[{i}].next } | each { break 4 }
enum: [1].each | [1, 2].each_with_index | Enumerator.new { |y| y << $e[0].next; raise "e" } | Enumerator.produce(1) { raise StopIteration if _1 > 2; _1 + 1 } | "ab".each_char | {a: 1}.each | ([1].each + [2]) | 3.times | Enumerator.new { |y| Fiber.yield 1; y << 2 } | (1..2).each_entry | [4].cycle | Enumerator::Product.new([1], [2, 3]) | [1, 2].lazy.filter_map { _1 * 2 }
