# Literals interpolated into strings, symbols and patterns are one literal, with the properties of an interpolation.
def text = "a#{"b"}c"
p text, text.frozen?, text.equal?(text), text.encoding
p "#{"only"}".frozen?, "a" "b#{"c"}" "d", "x#{"y#{"z"}"}", :"a#{"b"}", "#{"é"}x".encoding
x = 5
p "a#{"b"}#{x}#{"c"}#{"d"}e", "a#{"b"; "c"}", "a#{}b", "#{("p")}q"
"a#{"b"}" << "c"
p "\xff#{"é"}".valid_encoding?, "#{"\u00e9"}\xff".bytes
def pattern = /a#{"b"}+/i
p pattern, pattern.equal?(pattern), pattern.encoding, pattern.fixed_encoding?, pattern =~ "xABBB"
p(/#{"é"}/.encoding, /\u00e9#{"x"}/.encoding, /#{"\\d"}/ =~ "a1", /#{"a"}/n.encoding, /#{"a"}/u.encoding, /a#{"b"}/x.source)
p(/#{"(?<year>\\d+)"}/.names, ("year 20" if /#{"\\d"}/o =~ "20"))
begin
  eval('/#{"("}/')
rescue SyntaxError => error
  puts "SyntaxError"
end
p `echo #{"hi"}`
def heredoc = <<~TEXT
  a #{"b"}
    c
TEXT
p heredoc
3.times { |i| p "a#{"b"}#{i}" }
p "a#{"b"}".then { |s| s << "c"; s }
