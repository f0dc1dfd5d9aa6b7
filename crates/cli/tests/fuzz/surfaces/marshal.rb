require "stringio"
$VERBOSE = nil
S = Struct.new(:a, :b); K = Struct.new(:x, keyword_init: true); D = Data.define(:p, :q)
module E1; end; module E2; end
class O; attr_accessor :a, :b; def ==(o) = o.class == self.class; end
class U; def initialize(x) = @x = x; def _dump(_) = Marshal.dump(@x); def self._load(s) = new(Marshal.load(s)); end
class V; def initialize(x) = @x = x; def marshal_dump = [@x, self.class.name]; def marshal_load(x) = @x = x; end
class SubS < String; end; class SubA < Array; end; class SubH < Hash; end; class SubR < Regexp; end
class Bad; def marshal_dump = raise(IOError); end
class Two; def marshal_dump = $o[0] = 5; def marshal_load(x) = $o[1] = x; end
class Éa; def initialize(x) = @é = x; end
$o = [1, "a", nil]
__END__
$o[{i}] = {object}; Marshal.dump($o[{i}])
$o[{i}] = {object}; Marshal.load(Marshal.dump($o[{i}]))
$o[{i}] = [{object}, $o[{i}], {object}]; Marshal.load(Marshal.dump($o[{i}]))
Marshal.load(Marshal.dump({object}), freeze: true).then { [_1, _1.frozen?] }
seen = []; Marshal.load(Marshal.dump({object}), ->(x) { seen << x.class; {proc} }).then { [_1, seen] }
Marshal.load(Marshal.dump({object}).then { |s| s.setbyte({n}.to_i % s.size, {n}.to_i & 255); s }).class
Marshal.load(Marshal.dump({object})[0, 3 + {i}])
Marshal.dump({object}, {n})
x = {object}; x.instance_variable_set(:@iv, {object}) unless x.frozen?; y = Marshal.load(Marshal.dump(x)); [y, y.instance_variables, y.instance_variable_get(:@iv)]
x = {object}; x.extend(E1, E2) unless x.frozen?; Marshal.load(Marshal.dump(x)).singleton_class.include?(E1)
a = [{object}]; a << a << a[0]; b = Marshal.load(Marshal.dump(a)); [b[1].equal?(b), b[2].equal?(b[0])]
h = {}; h[h.class] = h; h[{object}] = {object}; Marshal.load(Marshal.dump(h)).size
io = StringIO.new; Marshal.dump({object}, io); io.rewind; Marshal.load(io)
object: {atom} | {atom} | [{object}, {atom}] | {{atom} => {object}} | S.new({object}, {atom}) | K.new(x: {object}) | D.new(p: {object}, q: {atom}) | U.new({object}) | V.new({object}) | Éa.new({object}) | O.new.tap { |o| o.a = {object}; o.b = o } | SubA[{object}] | SubH[1, {object}] | SubS.new("{text}") | SubR.new("a") | Set[{object}, {atom}] | ({atom}..{atom} rescue 0) | Hash.new({atom}).merge(1 => {object}) | {a: {atom}}.compare_by_identity | RuntimeError.new("{text}") | (raise "e" rescue $!) | Time.at({small}, {small}).utc | Time.at({small}, in: "+09:00") | Two.new | Bad.new | Object.new | proc {} | Class.new | Random.new(3) | Encoding::UTF_8 | Process.clock_gettime(1).class | Comparable | Math::DomainError | method(:puts) | [1].each | Complex({small}, 1) | Rational({small}, 3) | KeyError.new("k", receiver: 1, key: {atom}) | $o
atom: {small} | {n} | "{text}" | :"{text}" | "{text}".b | "{text}".encode("UTF-16LE") | "{text}".dup.force_encoding("Shift_JIS") | nil | true | 2**100 | -2**70 | 1e100 | 0.1 | -0.0 | Float::NAN | Float::INFINITY | /{text}/i | /a/n | :sym | 1073741823 | 1073741824 | -1073741825 | 255 | -129 | 65536
small: 0 | 1 | -1 | 122 | 123 | -123 | -124 | 256
text: | a | é | abc | x y | 日本
proc: x | 5 | nil | x.frozen? | raise(IOError)
