# split with a Regexp sets `$~` as its searches do: the last one finds nothing unless the limit of parts ends them.
show = proc { |*all| p([*all, $~ && [$~[0], $~.byteoffset(0)[0]]]) }

"ab in cd" =~ /(\w+) in (\w+)/
show.call("a b".split(" "), "ab".split(//), "a b".split(/ /), $2)
show.call("a,b,,".split(/,/), $2)
show.call("a,b,c".split(/,/, 2))
show.call("a,b,c".split(/,/, 5))
show.call("a1b2c".split(/(\d)/, -1))
"x" =~ /x/
show.call("a,b".split(/,/, 1))
show.call("".split(/x*/, -1))
show.call("abc".split(/x*/))
show.call("abc".split(/x*/, 2))
"a,,b,,".split(/(,)/) { |part| show.call(part) }
show.call
"a,,b,,".split(/,/, 3) { |part| show.call(part); "q" =~ /q/ if part == "b" }
show.call
"a,b".split(/,/, 2) { |part| show.call(part); "q" =~ /q/ }
show.call
"a,,b,".split(/,/) { |part| show.call(part) }
"é-ü-".split(/-/, -1) { |part| show.call(part) }
s = +"a,b,c"
begin
  s.split(/,/) { s << "d" }
rescue => e
  p e.class
end
