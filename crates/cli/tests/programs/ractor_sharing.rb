# What Ractors may share, and how objects become shareable. Recorded from CRuby 4.0.0.

def try(name)
  shown = yield.inspect
  puts "#{name}: #{shown}"
rescue Exception => e
  puts "#{name}: #{e.class}: #{e.message.gsub(/0x\h+/, "0x").gsub(/ \S+\.rb:\d+|eval:\d+|\(eval at .*?\):\d+/, " FILE")}"
end

S = Struct.new(:a)

try("numbers, symbols") { [1, 1.5, 2**80, 1r, 2i, :a, nil, true].all? { Ractor.shareable?(it) } }
try("strings") { ["a".dup, "a".freeze, "chilled"].map { Ractor.shareable?(it) } }
try("arrays") { [[1].freeze, ["a".dup].freeze, [1]].map { Ractor.shareable?(it) } }
try("objects") { [String, Kernel, Ractor.current, Ractor::Port.new, ENV, /a/, 1..2, "a".dup.."b", Object.new, Object.new.freeze].map { Ractor.shareable?(it) } }
try("time") { [Time.now, Time.now.freeze].map { Ractor.shareable?(it) } }
try("recursive") { x = [y = []].freeze; y << x; y.freeze; [Ractor.shareable?(x), Ractor.shareable?([x, "a".dup].freeze)] }

try("make all of it") do
  o = Object.new
  o.instance_variable_set(:@a, "x".dup)
  a = [[1, ["2"]], { Object.new => "v".dup }, o, S.new("s".dup), "a".dup.."b".dup, Set["q".dup], Hash.new("d".dup)]
  Ractor.make_shareable(a)
  [Ractor.shareable?(a), a[0][1][0].frozen?, a[1].keys[0].frozen?, o.instance_variable_get(:@a).frozen?, a[5].first.frozen?, a[6].default.frozen?]
end
try("of a copy") { a = ["x".dup]; b = Ractor.make_shareable(a, copy: true); [a.frozen?, a[0].frozen?, b.frozen?, b[0].frozen?] }
try("freeze is called") { o = Object.new; def o.freeze = (@b = [1]; super); Ractor.make_shareable(o).instance_variable_get(:@b).frozen? }
try("freeze that does not") { o = Object.new; def o.freeze = self; Ractor.make_shareable(o) }
try("ractors stay") { Ractor.make_shareable(a = [Ractor.current]); [a.frozen?, a[0].frozen?] }
try("mutex") { Ractor.make_shareable(Mutex.new) }
try("queue") { Ractor.make_shareable([Queue.new]) }
try("random") { Ractor.make_shareable(Random.new(1)) }
try("binding") { Ractor.make_shareable(binding) }
try("enumerator") { Ractor.make_shareable([1].each) }
try("method") { Ractor.make_shareable(1.method(:+)).call(2) }
try("method of what may change") { Ractor.make_shareable("a".dup.method(:+)) }
try("unbound method") { Ractor.shareable?(Ractor.make_shareable(Integer.instance_method(:+))) }
try("proc of a symbol") { Ractor.make_shareable(:upcase.to_proc).call("a") }
try("proc of a method") { Ractor.make_shareable(1.method(:+).to_proc) }
try("proc of a hash") { Ractor.make_shareable({}.to_proc) }
try("proc") { Ractor.make_shareable(proc {}) }
try("proc of nil") { nil.instance_exec { p = proc { self }; [Ractor.make_shareable(p).equal?(p), p.frozen?, p.call] } }
try("default proc") { Ractor.make_shareable(Hash.new { 1 }) }

try("block") { p = Ractor.shareable_proc { self }; [p.frozen?, Ractor.shareable?(p), p.call, p.lambda?] }
try("lambda") { Ractor.shareable_lambda { |a| a }.then { [it.lambda?, it.call(2)] } }
try("self") { Ractor.shareable_proc(self: 5) { self }.call }
try("self that may change") { Ractor.shareable_proc(self: "a".dup) { self } }
try("no block") { Ractor.shareable_proc }
try("of a proc") { a = 1; p = proc { [self.class, a] }; [Ractor.shareable_proc(&p).call, p.call] }
try("of a lambda") { Ractor.shareable_proc(&lambda {}).lambda? }
try("not a literal") { Ractor.shareable_lambda(&proc {}).lambda? }
try("reads") { a, b = 1, :b; Ractor.shareable_proc { [1].map { [a, b] } }.call }
try("two scopes out") { a = 1; [2].map { |b| Ractor.shareable_proc { [a, b] }.call } }
try("may change") { a = "x".dup; Ractor.shareable_proc { a } }
try("reassigned") { a = 1; a = 2; Ractor.shareable_proc { a } }
try("reassigned later") { a = 1; p = Ractor.shareable_proc { a }; a = 2 }
try("reassigned in a block") { a = 1; [1].each { a = 2 }; Ractor.shareable_proc { a } }
try("one of two values") { a = true ? 1 : 2; Ractor.shareable_proc { a }.call }
try("||=") { a = nil; a ||= 2; Ractor.shareable_proc { a } }
try("parameter") { [1].each { |x| x = 2; Ractor.shareable_proc { x } } }
try("parameters") { ->(x = 5, *y, z: 6, **w, &v) { [x, z].each { Ractor.shareable_proc { [x, z] }.call } }.call }
try("for") { for i in [1, 2]; x = Ractor.shareable_proc { i }.call; end; x }
try("pattern") { case 1; in Integer => z; end; Ractor.shareable_proc { z }.call }
try("never set") { z = 1 if false; Ractor.shareable_proc { z }.call }
try("writes") { a = 1; Ractor.shareable_proc { a = 2 } }
def yields = Ractor.shareable_proc { yield }
try("yields") { yields {} }
try("binding of it") { Ractor.shareable_proc {}.binding }
try("eval") { a = 1; Ractor.shareable_proc { a; eval("a") }.call }
try("eval of its own") { a = 1; Ractor.shareable_proc { b = 2; eval("b = b + 1"); b }.call }
try("names") { a = 1; Ractor.shareable_proc { b = 2; [local_variables, binding.local_variables] }.call }
try("get") { a = 1; Ractor.shareable_proc { binding.local_variable_get(:a) }.call }
try("methods of it") { c = Class.new { a = 1; define_method(:x, Ractor.shareable_proc { [self.class.name, a] }) }; c.new.x }

try("block for a Ractor") { a = 1; b = 2; Ractor.new { [b, a] } }
def yields_too(a) = Ractor.new { yield a }
try("that yields") { yields_too(1) {} }
try("no block for one") { Ractor.new }
try("keyword") { Ractor.new(nam: 1) {} }
try("allocate") { Ractor.allocate }
try("dup") { Ractor.current.dup }
try("who") { [Ractor.current.inspect, Ractor.main?, Ractor.main == Ractor.current, Ractor.count] }
try("local") { Ractor[:a] = 1; [Ractor[:a], Ractor["a"], Ractor.current[:a], Ractor[:b]] }
try("local's name") { Ractor[1] }
try("store_if_absent") { [Ractor.store_if_absent(:q) { |x| [x] }, Ractor.store_if_absent(:q) { 6 }] }
try("classes") { Ractor.constants.sort.map { |c| [c, Ractor.const_get(c).superclass] } }

def constant(mode, code) = eval("# shareable_constant_value: #{mode}\n#{code}\n")
try("literal") { constant("literal", "LA = ['a', { b: 'c' }]"); [Ractor.shareable?(LA), LA[0].frozen?] }
try("literal with a call") { constant("literal", "LB = ['a'.dup]") }
try("literal with a frozen call") { constant("literal", "LC = [:a.itself, 1 + 1]"); LC.frozen? }
try("interpolation") { constant("literal", 'LD = "a#{1}"'); LD.frozen? }
try("no literal") { constant("literal", "Object::LE = Object.new") }
try("frozen, no literal") { constant("literal", "LF = Object.new.freeze"); LF.class }
try("lambda as constant") { constant("literal", "LG = -> {}") }
try("or-assigned") { constant("literal", "LH ||= ['q']"); LH.frozen? }
try("splat") { constant("literal", "LI = [*[1, 'a']]") }
try("range of strings") { constant("literal", "LJ = ('a'..'b')"); Ractor.shareable?(LJ) }
try("everything") { constant("experimental_everything", "EA = [Object.new, 'a'.dup]"); [Ractor.shareable?(EA), EA[0].frozen?] }
try("everything, a mutex") { constant("experimental_everything", "EB = Mutex.new") }
try("copy") { $o = [["a".dup]]; constant("experimental_copy", "EC = $o"); [EC.equal?($o), $o[0].frozen?, EC[0].frozen?] }
try("none") { constant("none", "NA = ['a']"); NA.frozen? }
try("scope") { eval("module M\n# shareable_constant_value: literal\nA = ['a']\nend\nMB = ['a']\n"); [M::A.frozen?, MB.frozen?] }
