# A Hash copies keys whose class is String; instances of subclasses are stored as they are.
class Name < String; end
plain, name = +"plain", Name.new("name")
singular = +"singular"
def singular.reverse = "changed"
[plain, name, singular].each do |key|
  table = {}
  300.times { table = {}; table[key] = 1 }
  stored = table.keys[0]
  p [key, stored.equal?(key), stored.frozen?, stored.class, stored.reverse]
end
p({ Name.new("x") => 1 }.keys[0].frozen?, [[name, 1]].to_h.keys[0].equal?(name))
