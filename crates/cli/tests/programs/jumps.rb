# Jumps out of blocks and exceptions, in cold and hot code.
def b; yield; 7; end
def a(&k); b(&k); 1; end
def t; a { break 5 }; end
20.times { t }
p t
def u; r = []; loop { r << 1; break if r.size > 3 }; r; end
20.times { u }
p u
def w(n) = loop { n -= 1; begin; break n if n < 0; ensure; $e = n; end }
20.times { w(3) }
p w(3), $e
# A block that is too large to be inlined, in a method that is.
def big(n)
  got = loop do
    n += 1
    a = n * 2; b = a + n; c = b - a; d = c * b; e = d - c; f = e + d; g = f - e
    a = g * 2; b = a + n; c = b - a; d = c * b; e = d - c; f = e + d; g = f - e
    a = g * 2; b = a + n; c = b - a; d = c * b; e = d - c; f = e + d; g = f - e
    a = g * 2; b = a + n; c = b - a; d = c * b; e = d - c; f = e + d; g = f - e
    a = g * 2; b = a + n; c = b - a; d = c * b; e = d - c; f = e + d; g = f - e
    a = g * 2; b = a + n; c = b - a; d = c * b; e = d - c; f = e + d; g = f - e
    a = g * 2; b = a + n; c = b - a; d = c * b; e = d - c; f = e + d; g = f - e
    break [n, g % 7] if n > 5
    break :seven if g == 7
  end
  [got, n]
end
def outer(n) = n.zero? ? big(0) : [outer(n - 1), big(n)].flatten
200.times { outer(3) }
p outer(3)
def ens; loop { begin; break 3; ensure; $x = 1; end }; end
def res; [1, 2].each { |x| begin; raise "x"; rescue; break x; end }; end
50.times { ens; res }
p ens, res, $!, $x
def stop = loop { raise StopIteration, "s" }
50.times { stop }
p stop
def deep(n, &b) = n.zero? ? b.call : deep(n - 1, &b)
def through = [1].each { |x| deep(5) { break x + 1 } }
def ret = [1, 2].each { |x| deep(3) { return x * 10 } }
50.times { through; ret }
p through, ret
def caught(n) = begin; n.zero? ? raise("a") : caught(n - 1); rescue => e; n == 2 ? e.message : raise; end
50.times { caught(5) }
p caught(5)
def thrown(n) = n.zero? ? throw(:t, 4) : thrown(n - 1)
def catcher = catch(:t) { thrown(4); 1 }
50.times { catcher }
p catcher, $!

# `retry` restarts what the innermost rescue is for, also that of a modifier.
count = 0
answer = ((count += 1) < 3 ? raise : count) rescue retry
p answer
count = 0
tried = begin
  raise if (count += 1) < 3
  count
rescue
  begin
    count
  ensure
    (raise rescue (retry if count.zero?))
    begin; raise; rescue; count += 1; retry if count < 9; end
  end
  retry if count < 12
  count
end
p tried, $!
