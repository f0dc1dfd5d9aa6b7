# YAML: dumping, and loading what was dumped. Output from CRuby 3.4.11.
require 'yaml'
S=Struct.new(:a,:b); class Foo; attr_accessor :x; def initialize(x) = @x = x; end
D=Data.define(:q)
objs=[nil,true,1,1.5,"a","a b","a: b","yes","no","1","1.0","",":a","multi\nline\n","trailing \n x","é","\x00\xff".b,:sym,:"a b",[1,[2,[3]]],{"a"=>1,:b=>[1,2],"c"=>{"d"=>nil}},[],{},S.new(1,"x"),Foo.new([1]),1..3,"x"*200,["x y "*40],/a.b/i,Rational(1,2),Complex(1,2),2**70,Float::INFINITY,Float::NAN,Class,String,{1=>{2=>{3=>[4,{5=>6}]}}},"#c","- x","'q'","\"dq\"","a'b\"c","null","~","0x1f","1e3","1_000","012","!x","&a","*a","%a","@a","`a","{a","[a","a,b","a#b","a #b","? x",": x","-","--- a","\ttab","tab\tin","nb\u00a0sp","\u2028","\e","a\r\nb", "foo\n\n\nbar\n", "  lead", "end  ", "\nfirst"]
a=["shared"]; objs << [a,a]
b=[]; b<<b; objs<<b
objs.each{|o| y=YAML.dump(o); puts y; r=(YAML.unsafe_load(y) rescue $!); puts "  DIFF #{r.inspect}" unless r.inspect==o.inspect || Foo===o }
puts YAML.dump({"a"=>["x"*100]}, indentation: 4, line_width: 40)
puts YAML.dump([1,{a: 2}], canonical: true)
puts YAML.dump("x", header: true), YAML.dump("x", version: [1,1])
puts YAML.dump_stream(1,2,"a\nb"), YAML.load_stream("--- 1\n--- 2\n").inspect
p YAML.load("a: 1\nb: [1, 2.5, null, yes]\nc: |\n  text\n  more\nd: >\n  folded\n  text\ne: &x {k: v}\nf: *x\n", aliases: true)
p YAML.safe_load("- :a") rescue p $!
p YAML.safe_load("--- !ruby/object:Foo {}") rescue p $!
p YAML.load("a: &a [*a]") rescue p $!
p YAML.load_file("/nonexistent") rescue p $!.class
p YAML.parse("a: [1, 2]").to_ruby, YAML.parse("a: 1").children[0].children.map{|n| [n.value,n.start_line,n.start_column,n.end_line,n.end_column]}
p YAML.load("<<: {a: 1}\nb: 2"), YAML.load("a: 0o17\nb: 017\nc: 0b11\nd: 1_000\ne: 1e3\nf: .inf\ng: 12:30:15")
require 'stringio'
p YAML.load(StringIO.new("a: b")), YAML.load("")
io=StringIO.new; YAML.dump({a: 1}, io); p io.string
p({a: 1}.to_yaml, "x".to_yaml)
st=Psych::Stream.new(io2=StringIO.new); st.start; st.push("a"=>1); st.push(2); st.finish; p io2.string
puts Psych.to_json({"a"=>[1,nil]}) rescue p $!
pr=Psych::Parser.new; pr.parse("a: b"); p pr.mark
p Psych::VERSION.class, Psych.libyaml_version, Psych::LIBYAML_VERSION
e=YAML.unsafe_load(YAML.dump(RuntimeError.new("boo"))); p e.class,e.message
class Cod; def encode_with(c) = c["z"]=1; def init_with(c) = @z = c["z"]; end
puts YAML.dump(Cod.new); p YAML.unsafe_load(YAML.dump(Cod.new)).instance_variables
