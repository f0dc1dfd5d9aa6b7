# A match of a String shows its text only; String#match passes all arguments on; properties in the literal parts of an
# interpolation belong to Unicode.
3.times do
  "abc".sub("b", "x")
  p $~, $~.to_s
  p $~.regexp, $~
  "abc".index("b")
  p $~
  "aあc".partition("あ")
  p $~
  "abc".match("b")
  p $~
end

of_any = Class.new(Regexp) { def match(x, y = 1, z = 2) = block_given? ? yield([x, y, z]) : "#{x} #{y} #{z}" }
pattern = of_any.new("foo")
p "foo".match(pattern), "foo".match(pattern, "bar"), "foo".match(pattern, "bar", "baz")
p :foo.match(pattern, 3, 4)
"foo".match(pattern, 5, 6) { |list| p list }
[[], [/o/, 1, 2]].each do |arguments|
  "foo".match(*arguments)
rescue ArgumentError => error
  puts error.message
end

p(/#{"\\p{Hiragana}"}+/.match("xあい"), /[#{"\\P{ASCII}"}]/ =~ "xあ", /#{"x"}/.encoding)
