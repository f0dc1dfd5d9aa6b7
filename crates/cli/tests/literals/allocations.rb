# Measures each expression as it is and with frozen literals, which allocate nothing themselves. Prints the expressions
# that allocate more as they are.

def allocations(times = 50)
  GC.disable
  2.times { yield } # warms inline caches
  before = GC.stat(:total_allocated_objects)
  i = 0
  while i < times
    yield
    i += 1
  end
  GC.stat(:total_allocated_objects) - before
ensure
  GC.enable
end

SETUP = <<~RUBY
  h = {"a" => {"b" => 1}, "b" => 2}; list = %w[a b c]; s = "hello world"; t = +""; i = 5; time = Time.at(0)
  struct = Struct.new(:a).new(1); match = /(?<w>l+)/.match("hello"); regexp = /l/; null = File.open(File::NULL, "w")
  object = Object.new; set = Set["a"]; range = Range.new("a", "z"); sym = :hello
RUBY

DATA.each_line(chomp: true) do |line|
  next if line.empty?
  frozen = line.gsub(/"[^"]*"/) { |literal| "#{literal}.freeze" }
  made, needed = [line, frozen].map { |code| eval("#{SETUP}allocations { #{code} }") }
  puts "#{line}: #{(made - needed) / 50.0}" unless made == needed
end

__END__
h["a"]
h.key?("a")
h.include?("a")
h.fetch("a")
h.fetch("z", 1)
h.dig("a")
h.dig("a", "b")
h.delete("zz")
h.slice("zz")
h.values_at("a", "b")
h.except("zz")
h.value?("x")
h.key("x")
h.assoc("a")
h.store("a", 1)
ENV["HOME"]
ENV.fetch("PATH")
ENV.key?("HOME")
list.include?("c")
list.index("c")
list.find_index("c")
list.rindex("a")
list.count("a")
list.delete("z")
list.join("-")
list.any?("z")
list.all?("z")
list.none?("z")
[1].pack("C")
s.sub("zz", "y")
s.sub("l", "y")
s.gsub("l", "y")
s.split(" ")
s.unpack("C")
s.unpack1("C")
s.match("z")
s.match?("l")
s =~ /x/
s <=> "a"
s < "a"
s >= "a"
s == "a"
s != "a"
s === "a"
s.eql?("a")
s + "x"
t << "a"
t.concat("a", "b")
t.prepend("a")
s.between?("a", "z")
s.delete_prefix("a")
s.delete_suffix("a")
s.each_line("l") { }
s.lines("z")
s["lo"]
s.slice("lo")
s.scan("z")
s.index("o")
s.rindex("o")
s.byteindex("o")
s.count("l")
s.delete("a")
s.squeeze("l")
s.tr("a", "b")
s.start_with?("a", "b")
s.end_with?("a")
s.center(20, "*")
s.casecmp?("h")
s.encode("UTF-8")
s.chomp("d")
s.upto("a") { }
s.crypt("ab")
"%d" % i
"a" + s
"a" == s
format("%d", i)
sprintf("%s", "a")
Integer("12")
Integer("12", 10)
Float("1.5")
Rational("1")
File.exist?("/zzz")
File.file?("/zzz")
File.directory?("/zzz")
File.join("a", "b")
File.basename("a/b")
File.basename("a/b.rb", ".rb")
File.extname("a.rb")
File.dirname("a/b")
File.expand_path("/a/b")
File.fnmatch("*", "a")
Dir.exist?("/zzz")
time.strftime("%Y")
null.puts("a")
null.print("a")
null.write("a", "b")
null << "a"
i.send("abs")
i.public_send("abs")
i.__send__("abs")
i.respond_to?("abs")
Object.const_get("String")
Object.const_defined?("String")
String.method_defined?("upcase")
String.instance_method("upcase")
object.instance_variable_get("@a")
object.instance_variable_set("@a", 1)
regexp =~ "hello"
regexp === "hello"
regexp.match("zzz")
regexp.match?("hello")
Regexp.escape("a.b")
match["w"]
match.values_at("w")
struct["a"]
struct.dig("a")
sym.start_with?("h")
sym <=> "b"
i == "a"
nil == "a"
String === "a"
range.cover?("c")
set.include?("a")
set.delete("z")
Encoding.find("UTF-8")
require("set")
Dir.home("root")
set.join("-")
range === "c"
range.cover?("c")
