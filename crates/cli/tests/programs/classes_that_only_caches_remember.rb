# Call sites and constants that have met a class once do not keep it alive. The count was compared with CRuby 4.1dev.
def call_sites(number)
  eval <<~RUBY
    def one_class_#{number}
      made = Class.new { def value = 1; def self.again = new }
      made.const_set(:LIMIT, Object.new)
      made.class_eval { def limit = self.class::LIMIT }
      made.new.value + made.again.value
      made.new.limit
    end

    def five_classes_#{number}
      5.times.map { Class.new { def value = 1 }.new }.sum { |object| object.value }
    end
  RUBY
end

def anonymous = ObjectSpace.each_object(Class).count { |c| c.name.nil? && !c.singleton_class? }

100.times do |number|
  call_sites(number)
  send("one_class_#{number}")
  send("five_classes_#{number}")
end
GC.start
left = anonymous
# Compiled code keeps some.
puts left < 300 ? "most are gone" : "#{left} of 600 classes are left"

# The sites go on.
p (0...100).sum { |number| send("five_classes_#{number}") }
