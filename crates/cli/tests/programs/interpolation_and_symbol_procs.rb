# Interpolation, conversion of numbers to Strings, and `&:name` blocks: fast and slow paths. Recorded with CRuby 3.4.11.
p "x#{1}é", "#{1}é".encoding, "#{1}".encoding, "#{1}#{2}".encoding, "é#{1}".encoding, "#{:a}é#{nil}".encoding, "#{"\xff".b}#{1}".encoding, "a#{"\xff".b}".encoding
begin; p "é#{"\xff".b}"; rescue => e; p e.class, e.message; end
begin; p "#{"\xe4".dup.force_encoding("US-ASCII")}é"; rescue => e; p e.class, e.message; end
p "#{"a".encode("UTF-16LE")}#{"b".encode("UTF-16LE")}".encoding
begin; p "#{"a".encode("UTF-16LE")}#{1}"; rescue => e; p e.class, e.message; end
%w[az zz a9 Zz 1.9.9 a-9 -9 <<koala>> 1999zzz ZZZ9999 *** a!9 9 z Az é az9 a\ 9 \ 9z].each { |s| print s.succ, " " }; puts
%w[12 -5 +5 012 0x1f 0b1 1_000 12_ 0d9 -0x1 999999999999999999 9999999999999999999 - 12abc 5d 0 -0 00 0_1].each { |s| print s.to_i, " ", (Integer(s) rescue "E"), " ", s.to_i(16), " ", (Integer(s, 10) rescue "E"), " ", s.to_f, " ", (Float(s) rescue "E"), "; " }; puts
["1.5","-1.5","123.456","0.1","1.5e3","1.5_0","1_0.5","1.","1.5.6",".5","  2.5 ","2.5x","123456789.123456","1234567890.123456","0.000001","00.5","1.7976931348623157","3.14159265358979"].each { |s| p [s.to_f, (Float(s) rescue "E"), s.to_r] }
p %w[a bb].map(&:size), [[1,2],[3,4]].map(&:first), {a: 1}.map(&:last), [1,2].inject(&:+), [3,1].sort_by(&:-@), (begin; [1].each(&:zork); rescue NoMethodError => e; e.message; end), [nil].map(&:to_a), [Object.new].map(&:itself).size
class MM; def method_missing(n, *a) = [n, a]; def respond_to_missing?(*) = true; private def secret = 1; end
p [MM.new].map(&:foo), (begin; [MM.new].map(&:secret); rescue => e; e.message; end)
def y2; yield 5, 3; end
p y2(&:-), y2(&:divmod), (def y0 = yield; begin; y0(&:foo); rescue => e; e.message; end)
p [1, 2, 3].each_slice(2).map(&:sum), [:a].to_h { [_1, 1] }, ["x"].each(&:upcase!), [[3, 4]].map(&:max)
class Foo; attr_accessor :v; def initialize(v) = @v = v; define_method(:dm) { @v + 1 }; def opt(a = 7) = a; def kw(k: 3) = k; def blk = block_given?; end
p [Foo.new(1)].map(&:v), [Foo.new(1)].map(&:dm), [Foo.new(1)].map(&:opt), [Foo.new(1)].map(&:kw), [Foo.new(1)].map(&:blk)
S=Struct.new(:q); p [S.new(3)].map(&:q), [Class.new].map(&:new).size, [proc { 4 }].map(&:call), [[:size]].map(&:first), ["a"].map(&:freeze).first.frozen?
def deep(n, &b) = n == 0 ? [1].map(&b) : deep(n - 1, &b)
p deep(3, &:to_s), (begin; [1].map(&:fdiv); rescue => e; [e.message, e.backtrace.size] end)
