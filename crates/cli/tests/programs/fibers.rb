# Fibers: values passed both ways, finished, killed, collected while suspended, stacks reused (.out recorded from CRuby
# 3.4.11).
e = Enumerator.new { |y| 5.times { |i| y << [i, "x"*i] }; :done }
p e.next, e.peek, e.next, e.take(2)
a = Fiber.new { |x, y| z = Fiber.yield(x + y, 2); Fiber.yield z; raise "oops" }
p a.resume(1, 2), a.resume([1,2]), (a.resume rescue $!.message), a.alive?
f = Fiber.new { begin; Fiber.yield 1; ensure; puts "ens"; end }
f.resume; f.kill; p f.alive?
g1 = Fiber.new { g2 = Fiber.new { g1.transfer rescue p($!.message); 7 }; [g2.resume, Fiber.yield(3)] }
p g1.resume, g1.resume(9)
b = Fiber.new { |*a| p a; x = Fiber.yield; p x; c = Fiber.new { Fiber.yield :in }; p c.resume; GC.start; c.resume }
b.resume; b.resume(1,2,3)
t1 = Fiber.new { t2 = Fiber.current; :t }
p t1.transfer.class
100.times.map { |i| Fiber.new { Fiber.yield i.to_s * 3; "z#{i}" } }.each { |q| q.resume }.each { |q| GC.start if rand(50)==0; raise unless q.resume =~ /z/ }
def deep(n) = n == 0 ? Fiber.yield(:deep) : deep(n-1)
d = Fiber.new { deep(500); :end }; p d.resume, d.resume
begin; Fiber.new { def r = r(); r }.resume; rescue SystemStackError; p $!.class; end
s = Fiber.new { deep2 = ->(n) { [1].sort_by { n == 0 ? Fiber.yield : deep2.(n-1) } }; deep2.(20); :ok }; s.resume; GC.start; p s.resume
p 3.times.map { 500.times.map { |i| Fiber.new { Fiber.yield i; i } }.sum { |f| f.resume + f.resume } }
# (Recorded from CRuby 4.1.0dev.)
$stdout.flush
forker = Fiber.new do
  Process.wait(fork { begin; Fiber.yield; rescue FiberError; p $!.message; end })
  Fiber.yield $?.exitstatus
end
p forker.resume
Fiber.new { (pid = fork) && Process.wait(pid) }.resume
p $?.exitstatus
# A forked child's first fiber is the one that forked: those that nothing resumed return to it when they end.
Fiber.new do
  outer = fork do
    inner = nil
    Fiber.new do
      inner = fork do
        print Fiber.new { :returned }.transfer, " "
        late = Fiber.new { Fiber.yield(Fiber.new { 1 }.resume) }
        print late.resume, " "
        here = Fiber.current
        p Fiber.new { here.transfer(2); 3 }.transfer, (here.resume rescue $!.class)
        $stdout.flush
        exit!(true)
      end
    end.transfer
    exit!(Process.wait2(inner)[1].success?)
  end
  Process.wait(outer)
end.resume
p $?.exitstatus

# Positional arguments of Fiber.new are ignored.
p Fiber.new(1, 2) { |*given| given }.resume(3)
