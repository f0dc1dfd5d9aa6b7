# empty? in cold and hot code.
def e(s) = s.empty?
class T < String; end
def w(n) = n.times { |i| e(i.even? ? "" : "x" * i) }
5.times { w(50) }
p e(""), e("x"), e("x" * 100), e("long string in a buffer"[3, 0]), e(("y" * 100)[5..]), e("äö"), e([]), e({a: 1}), e(T.new), e(:"")
100.times { e([]); e({}) }
p e(""), e([1])
class String; def empty? = 7; end
p e(""), e([])
