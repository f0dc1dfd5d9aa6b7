# Escapes and characters in the literal parts of a pattern with interpolation are checked when it is compiled.
[
  '/\xc2#{ }/e', '/#{ }\xc2/e', '/\u#{1}/', '/#{"\\\\"}y/', "/\\u1234\#{%q\"\\x80\"}/", '/\u1234#{ }\x80/',
  '/[#{1}]\u{110000}/', '/(#{1}/', '/#{1}\xc2\xa1/u', '/a#{"b"}\x41/', '/[#{1}2]+/x', '/\xff#{1}/n',
].each do |source|
  p eval(source)
rescue SyntaxError => e
  puts "#{source}: #{e.class} #{e.message[/(?:too short|invalid)[^:]*/]}"
rescue StandardError => e
  puts "#{source}: #{e.class}"
end

p eval('/\p{Hiragana}/'.dup.force_encoding("euc-jp")).encoding, /\p{Hiragana}/e.encoding, /\p{Alpha}/.encoding
