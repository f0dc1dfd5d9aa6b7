# Look-behinds within look-behinds, of either kind.

def show(source, *texts)
  pattern = Regexp.new(source)
  p texts.map { |text| text =~ pattern }
rescue RegexpError => error
  puts error.message
end

2.times do
  show("(?<=a(?<=a)b)c", "abc", "bc")
  show("(?<=(?<!a)b)c", "abc", "xbc", "bc", "bbc")
  show("(?<=(?<!ab)c)d", "abcd", "cd", "bcd", "xbcd", "acd")
  show("(?<=(?<!a|[x-z]|\\d)b)c", "abc", "ybc", "5bc", "bc", "qbc")
  show("(?<=(?<!ab|c)d)e", "abde", "cde", "bde", "de", "xde")
  show("(?<=q(?<!xq)b)c", "xqbc", "yqbc", "qbc", "bc")
  show("(?<=(?<!é)b)c", "ébc", "ebc", "bc")
  show("(?<=(?<!\\(|\\.)b)c", "(bc", ".bc", "xbc")
  show("(?<!(?<!a)b)c", "abc", "xbc", "bc", "c")
  show("(?i)(?<=(?<!a)b)c", "Abc", "abC", "xBc")
  show("(?<=a(?=b)b)c", "abc")
  show("(?<=(?<=(?<=x)a)b)c", "xabc", "abc", "yabc")
  show("(?<=[(](?<!ab)c)|[(?<=](?<!d)e", "de", "<e")
end
p "price: $5, cost: 7, $$8".gsub(/(?<=(?<!\$)\$)\d/, "N"), "xbc abc bc".scan(/(?<=(?<!a)b)c/).size
