$a = []
x = while true
  class A; break 5; end
end
p x
i = 0
x = while (i += 1) < 4
  class A; next 9; end
  p :never
end
p x, i
p [1,2].map { class A; class B; next 7; end; p 8; end }
p [1,2].map { |z| module M; begin; next 7; ensure; $a << 1; end; end }
p $a
p [1,2].each { |z| v = class A; begin; break 3; ensure; $a << 2; end; end }
p $a
n = 0
[1].each { class A; $n = ($n || 0) + 1; redo if $n < 3; end; n += 1 }
p $n, n
k = 0
while k < 1
  k += 1
  class A; $m = ($m || 0) + 1; redo if $m < 3; end
end
p k, $m
l = ->(x) { class A; next 3; end; 4 }
p l.(1)
l = ->(x) { class A; break 3; end; 4 }
p l.(1)
for q in 1..3 do y = class A; next if false; :val; end; p y; end
define_method(:foo) { class A; break 33; end } rescue self.class.send(:define_method, :foo) { class A; break 33; end }
p foo
begin
  [1,2].each { begin; class A; break; end; ensure; p :ens; end }
  while true; begin; class A; break; end; ensure; p :ens2; end; end
end
pr = proc { class A; break 4; end }
begin; pr.call; rescue LocalJumpError; p $!; end
pr = proc { class A; next 4; end }
p pr.call
i = 0
r = (while (i += 1; class A; next if $n == 5; end; i < 3); p i; end)
p r
i=0
p((while (i+=1; next if i<3; i<5); p [:x,i]; end))
i=0
begin; p [:y, i]; end while (i+=1; next if i<3; i < 5)
i = 0
p((while (i+=1; break i if i > 2; true); end))
i = 0
until (i+=1; redo if i==1; i > 2); p [:z, i]; end
p 1.step(10, 3).map { class A; for k in [1,2] do break; end; self; end }
p((begin; v = [3, while true; class A; break 4; end; end, 5]; end))
def m; yield; end
p m { class A; [1,2].each { |x| break }; break :out; end }
eval "while true; class A; break; end; end"
p :ok
begin; eval("class A; break; end"); rescue SyntaxError; p :se; end
begin; [1].each { eval("class A; break; end") }; rescue SyntaxError; p :se; end
1000.times { |t| [1].each { class A; next; end }; while true; class A; break; end; end }
p TOPLEVEL_BINDING.local_variables.size > 3
