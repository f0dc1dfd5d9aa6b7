def kind(v)
  case v
  in Integer | Float => n if n > 100 then "big #{n}"
  in Integer then "integer"
  in [] then "empty"
  in [x, *] if x == :first then "first"
  in [Integer => a, [b, *c]] then "nested #{a} #{b} #{c}"
  in [*, 3, *post] then "found #{post}"
  in { name: String => name, **nil } then "only #{name}"
  in { name:, **rest } then "#{name} and #{rest}"
  in nil then "nil"
  in ^v then "itself"
  end
end
20.times { kind([1, [2, 3]]) }
[200, 1, [], [:first], [1, [2, 3, 4]], [9, 3, 5], { name: "x" }, { name: 1, a: 2 }, nil, :other].each { |v| puts kind(v) }
begin
  case 5
  in String then 1
  end
rescue NoMatchingPatternError => e
  p e.class, e.message
end
config = { db: { user: "admin", port: 5432 } }
config => { db: { user:, port: } }
p user, port, (1 in Integer), ("x" in Integer)
# A group whose repetition began again but did not complete matches an empty text.
again = /(\G\s*){9}/
p again.match("abc 1", 3).captures, "abc 1".scan(again), "abc 1".gsub(again, '<\1>')

# A pattern asks a subclass of Hash by its own methods.
class Indifferent < Hash
  def key?(key) = super(key.to_s)
  def [](key) = super(key.to_s)
  def delete(key) = super(key.to_s)
  def dup = Indifferent.new.merge!(self)
end

table = Indifferent.new.merge!("name" => "E", "b" => 1)
3.times do
  case table
  in {name: String => name, **rest} then p name, rest, rest.class, table.size
  end
  p((table in {name: "E", b: 1}), (table in {zzz: nil}), (table in {name: "E", b: 1, **nil}), (table in {name: "E", **nil}))
  table => {b:}
  p b
end
