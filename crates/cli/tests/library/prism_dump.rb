# Prism.load reads what Prism.dump writes: the same tree, comments, errors and warnings.
require "prism"
require "tempfile"

SOURCES = [
  "", "foo(", "p 1 # comment\n__END__\ntext", "# encoding: euc-jp\n\"\xa4\xa2\"; x = 1".b, "\"\\u3042\\xff\"; \"é\"; é = 1",
  "=begin\nx\n=end\n# frozen_string_literal: true\n123456789012345678901234567890; 0; -1; 1.5e10; -2r; 3i; 0x7f",
  "def f(a, (b, c), *d, e: 1, f:, **g, &h) = 1\ndef self.g(...) = h(...)\nclass A < B; @@a ||= 1; end\nmodule C::D; end",
  "case [1]; in [Integer => q, *] if q then 1; in {a:, **nil} then 2; in ^x | 1.. then 3; end\nx => [y]\nx in {a: 1}",
  "proc { _1 + _2 }; proc { it }; -> (a; b) { a }; a&.b += 1; a[1] ||= 2; A::B &&= 1; a, (b, *c) = 1, 2; $1; $&; @a",
  "/a(?<b>c)\#{x}/mi =~ y; %w[a b]; %i[a\#{b}]; `ls \#{a}`; <<~A + <<-'B'\n  \#{1}\n    b\nA\n c\n  B\n:\"a\#{1}\"; ?a; \"a\" \"b\"",
  "begin; rescue A, B => e; retry; else; ensure; end while x; for a, b in c do next 1; end; x ? y : z; not x; defined?(y)",
  "alias a b; alias $a $b; undef a, :b; BEGIN { 1 }; END { 2 }; yield 1, *a, b: 2, **c, &d; super; super(); return 1, 2",
  "if a .. b then end; unless c; end; until d; break; end; a and b or !c; x rescue y; {a: 1, \"b\": 2, **c, d:}; [*a, 1]",
  "1 2", "def f; @1; end; $1 = 2; x = 1; class B; def f; C = 1; end; end", "p 1 if 2\nx == 1; 3; nil"
]

def described(result)
  [result.value.inspect, result.comments.map(&:inspect), result.magic_comments.map { |c| [c.key, c.value] },
   result.errors.map(&:inspect), result.warnings.map(&:inspect), result.data_loc&.slice, result.encoding]
end

SOURCES.each { |source| p described(Prism.load(source, Prism.dump(source))) == described(Prism.parse(source)) }
p Prism.dump("1").encoding, Prism.dump("1", line: -5, frozen_string_literal: true).start_with?("PRISM")
p Prism.load("foo", Prism.dump("foo", line: 7)).value.location.start_line
p Prism.load("foo", Prism.dump("foo", line: -7)).value.location.start_line
p Prism.load("a", Prism.dump("a", scopes: [[:a]])).value.statements.body[0].class
p Prism.load("a", Prism.dump("a"), freeze: true).frozen?
Tempfile.create("dumped") do |file|
  file.write("def a = 1\n")
  file.flush
  p Prism.load("def a = 1\n", Prism.dump_file(file.path)).value.statements.body[0].name
end
p((Prism.dump(1) rescue $!.class), (Prism.dump("1", nothing: 1) rescue $!.class))
