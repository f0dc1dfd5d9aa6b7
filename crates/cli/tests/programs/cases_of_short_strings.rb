# `case` with Strings that fit a word and others, cold and in compiled code.
class Text < String; end

def short(v)
  case v
  when "" then :empty
  when "a", "b" then :letter
  when "a\0" then :nul
  when "seven77" then :seven
  when :a, 1 then :word
  else :other
  end
end

def mixed(v)
  case v
  when "get" then 1
  when "a longer literal" then 2
  when "ä" then 3
  else 4
  end
end

values = ["", "a", "b", "a\0", "a\0\0", "seven77", "seven7", "eight888", "c", :a, :b, 1, 2, nil, 1.0, Text.new("a"),
          "a".encode("UTF-16LE"), "a".encode("EUC-JP"), "\xff", "a\xff", ("a" * 300)[0, 1], "xay"[1], [1]]
expected = values.map { |v| short(v) }
300.times { |n| raise n.to_s unless values.map { |v| short(v) } == expected }
p expected
texts = ["get", "GET", "a longer literal", "a longer litera1", "ä", "ö", "ä".b, "ge", "gett"]
300.times { texts.each { |v| mixed(v) } }
p texts.map { |v| mixed(v) }
changing = +"a"
300.times { short(changing) }
changing << "\0"
p short(changing)
changing.replace("b")
p short(changing)
changing.setbyte(0, 0xff)
p short(changing)

class String
  def ===(other) = other == 2
end
p short("a"), short(2), mixed("get")
