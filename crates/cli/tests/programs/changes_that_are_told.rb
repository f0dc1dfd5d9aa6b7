# Redefinitions, freezing, methods of singleton classes, and error messages of several methods.
def refused
  yield
rescue StandardError => e
  puts "#{e.class}: #{e.message.gsub(/0x\h+/, "0x").sub(/#each_entry|#min$/, "")}"
end
module Warning
  def self.warn(message, **) = puts(message.gsub(/^.*warning/, "warning"))
end
$VERBOSE = true
Class.new do
  def foo = 1
  def bar = 2
  alias foo bar
end
Class.new { attr_reader :object_id }
refused { Class.new { def self.to_s = "C"; remove_method(:__id__) } }
Class.new { A = 1; deprecate_constant }
$VERBOSE = nil

o = Object.new
singleton = o.singleton_class
above = singleton.singleton_class
o.freeze
p singleton.frozen?, above.frozen?
c = Class.new { def self.foo; end }
p c.new.singleton_class.singleton_methods - [:yaml_tag], c.new.singleton_class.singleton_methods(false)
asked = Object.new
asked.define_singleton_method(:respond_to?) { |a, b, c| false }
refused { [[asked]].flatten }
refused { Random.new(1).freeze.send(:initialize_copy, Random.new) }
refined = Class.new { def self.to_s = "Refined" }
refinement = nil
Module.new { refinement = refine(refined) { def foo = 1 } }
refused { refinement.instance_method(:foo).bind(Object.new) }
refused { Module.new { refine(Integer) { import_methods Enumerable } } }

refused { sprintf("%c", -1) }
refused { Struct.new(:x=) }
refused { p(&1) }
group = ThreadGroup.new.freeze
refused { group.add(Thread.current) }
refused { SignalException.new("-SIGEXIT") }
p (nil..10).last(3)
/(a)(b)?(c)/ =~ "ac"
p global_variables.grep(/\A\$\d/).sort
puts RuntimeError.new("x").full_message(order: :bottom, highlight: false).sub(__FILE__, "FILE")

lazy = (1..3).lazy
p Class.new { include Enumerable; attr_reader :given; def each(*given) = (@given = given; yield 1) }.new.then { |e|
  [e.lazy.each(4).first, e.given]
}
p lazy.with_index(2).map(&->(i, j) { [i, j] }).to_a

converter = Encoding::Converter.new("", "")
source, target = +"abcd", +""
p converter.primitive_convert(source, target, nil, 2), source, target
converter = Encoding::Converter.new("UTF-8", "EUC-JP")
source, target = +"abc", +""
p converter.primitive_convert(source, target, nil, 9, after_output: true), source, target
p Encoding::Converter.new([]).convpath
refused { "".encode("euc-jp", undef: :replace, replace: "\x80".dup.force_encoding("euc-jp")) }
begin
  "abc\xa4".encode("ISO-8859-1", "EUC-JP")
rescue Encoding::InvalidByteSequenceError => e
  p e.readagain_bytes
end
