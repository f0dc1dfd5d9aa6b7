# Recorded from CRuby 3.4.11; that a Set from `allocate` is usable, from 4.0.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { {1=>2}.map(&->(k,v){[k,v]}) }
t { {1=>2}.flat_map(&->(k,v){[k,v]}) }
t { {1=>2}.each(&->(k,v){[k,v]}) }
t { {1=>2}.select(&->(k,v){[k,v]}) }
t { {1=>2}.any?(&->(k,v){[k,v]}) }
t { {1=>2}.filter_map(&->(k,v){[k,v]}) }
t { [[1,2]].map(&->(k,v){[k,v]}) }
t { [[1,2]].each_entry.map(&->(k,v){[k,v]}) }
t { [[1,2]].each_entry.flat_map(&->(k,v){[k,v]}) }
def (o=Object.new).each; yield 1,2; yield [3,4]; yield 5; end
o.extend Enumerable
t { o.map { |x| x } }
t { o.map { |x,| x } }
t { o.map { |x,y| [x,y] } }
t { o.map { |x,y=9| [x,y] } }
t { o.map { |*x| x } }
t { o.map { it } }
t { o.map { _1 } }
t { o.map { [_1,_2] } }
t { o.map(&->(x){x}) }
t { o.map(&:itself) }
t { o.flat_map { |x| x } }
t { o.flat_map { |x,y| [x,y] } }
t { o.each_with_index.map { |x| x } }
t { o.each_with_index.map { |x,y| [x,y] } }
t { o.each_with_index.map { |(x,z),y| [x,z,y] } }
t { Numeric.instance_methods(false).include?(:singleton_method_added) }
class N < Numeric; end
t { n = N.new; def n.foo; end }
t { 1.step(by: "a").inspect }
t { 1.step(by: "a", to: 3).inspect }
t { 1.step("5",2).inspect }
t { 1.step("5",2).size }
t { 1.step("5").size }
t { 1.step(5, "a").size }
t { 1.step(5.0, "a").size }
t { 1.0.step("5",2).size }
t { 1.step(3, nil).size }
t { 1.step(nil, nil).size }
t { 1.step(by: 2, to: "3") }
class N2 < Numeric; def to_r = 1; end
t { N2.new.quo(3) }
t { Complex.rectangular(1.0+0.0i) }
t { Complex.rectangular(1.0+0i) }
t { Complex.rectangular(Complex(1,0), Complex(2,0.0)) }
t { Struct.new(:a).new(1).inspect }
t { m = Module.new; m.const_set(:Foo, Struct.new(:a)); m::Foo.new(1).inspect }
t { [1].inspect.encoding }
t { [:a, "é"].inspect.encoding }
t { ["\xff".b].inspect.encoding }
t { ["\u3042".encode("EUC-JP")].inspect }
t { {1=>2}.inspect.encoding }
t { {}.inspect.encoding }
t { {"\u3042".encode("EUC-JP").to_sym => 1}.inspect }
class Q; def initialize(x) = @x=x; def inspect = @x; end
t { [Q.new("\u3042".encode("UTF-16BE"))].inspect }
t { [Q.new("\u3042\xff".encode("EUC-JP", invalid: :replace))].inspect }
t { [Q.new("\u{1F600}".encode("UTF-16LE")), Q.new("\xE9".force_encoding("ISO-8859-1"))].inspect }
t { {Q.new("\u{1F600}".encode("UTF-16LE")) => Q.new("\xE9".force_encoding("ISO-8859-1"))}.inspect }
t { p Q.new("\xE9".force_encoding("ISO-8859-1")); 1 }
t { p Q.new("\xE9".b); 1 }
t { Struct.new(:a).new(Q.new("\xE9".b)).inspect }
t { [0.123456789876r, 0.50r, 0.5ri, 0.75r + 1] }
t { Comparable.instance_method(:clamp).bind_call(3, 1, 2) }
o = Object.new
def o.respond_to?(name, *rest) = rest.empty? && name == :to_ary
def o.==(other) = other == [1]
t { [[1] == o, [[1]] == [o], [[[1], 3], 2] == [[o, 3], 2]] }
class Claims
  def method_missing(name, *) = super
  def respond_to_missing?(*) = true
end
t { [Claims.new].flatten }
class One
  def hash = 1.hash
  def eql?(_) = true
end
t { [One.new].hash == [1].hash }
class Bare < Set
  def initialize; end
end
t { Bare.new << 1 << 2; Bare.new.size }
t { Set.allocate.add(3).size }
t { [Set[1, 2].select(&:odd?), Set[1, 2].reject(&:odd?), Set[1].partition(&:odd?)] }
t { [*(Set[1].compare_by_identity & [1])] }
t { (Set[1].compare_by_identity & [1]).compare_by_identity? }
t { Enumerator::Generator.new { |y| y << 1 << 2 }.map { |x| x + 1 } }
t { Enumerator.new { |y| p y.yield(1) }.to_a }
t { (0..).lazy.to_enum(:with_index, 10).first(2) }
t { Enumerator::ArithmeticSequence.allocate }
t { "match" =~ /m(a)/; [:b, 3, nil, "c"].grep(/[b-c]/); $1 }
t { 1 << 2**70 }
t { :abs.to_proc.arity }
t { [3, 1].sum { _1 } }
t { [Complex(0, 2).abs, Complex(3, 0).abs, Complex(0.0, 2).abs, Complex(3, 4).abs, Complex.polar(1)] }
t { [1].each.with_index("a").inspect }
t { ([1].each + [2]).respond_to?(:next) }
t { (1..2).lazy.chain([3]).map { |x| x * 2 }.to_a }
t { Class.new(Time).dup.now.dup.year > 2000 }
t { [[], [[].zip(nil)], [1, 2].combination(nil)] }
t { [].inject(nil) }
t { [1].tally(nil) }
t { "".lines(nil) }
t { "abc".scrub(1) }
