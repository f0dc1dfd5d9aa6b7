# Class variables at places that have found them before, when something changes.
def tell(name) = puts("#{name}: #{begin; yield.inspect; rescue StandardError => e; "#{e.class}: #{e.message}"; end}")

class Base
  @@count = 0
  def self.count = @@count
  def self.count=(value)
    @@count = value
  end

  def self.add(times)
    times.times { @@count += 1 }
    @@count
  end
end

class Derived < Base
  def self.read = @@count
  def self.write(value) = @@count = value
  def self.late = @@late
end

3.times { Base.add(100) }
tell(:counted) { [Base.count, Derived.read] }
Derived.write(7)
tell(:written_below) { [Base.count, Derived.read] }

# Slots move when the table grows.
class Wide
  @@first = 1
  @@second = 2
  def self.second = @@second
  def self.second=(value)
    @@second = value
  end
end
tell(:second) { Wide.second }
60.times { |i| Wide.class_variable_set("@@more_#{i}", i) }
tell(:after_growth) { Wide.second }
Wide.second = 22
tell(:set_after_growth) { [Wide.second, Wide.class_variable_get(:@@second)] }

# A module with a variable of the name enters the ancestors.
module Later
  @@late = :of_the_module
end
tell(:missing) { Derived.late }
Derived.include(Later)
tell(:included) { Derived.late }
Base.class_variable_set(:@@late, :of_the_base)
tell(:overtaken) { Derived.late }

class Overtaken
  def self.read = @@x
  def self.write(value) = @@x = value
  @@x = 1
end
tell(:own) { Overtaken.read }
Object.class_variable_set(:@@x, 2)
tell(:overtaken_read) { Overtaken.read }
tell(:overtaken_write) { Overtaken.write(3) }
Object.remove_class_variable(:@@x)
tell(:not_any_more) { [Overtaken.read, Overtaken.write(4), Overtaken.read] }

Overtaken.freeze
tell(:frozen) { Overtaken.write(5) }
tell(:still) { Overtaken.read }

# The same code in several classes.
classes = Array.new(3) do |i|
  Class.new.tap do |made|
    made.class_variable_set(:@@own, i)
    made.class_eval("def self.own = @@own\ndef self.own=(v)\n@@own = v\nend")
  end
end
tell(:each_its_own) { classes.map { |made| made.own += 10 } + classes.map(&:own) }

copy = Base.clone
copy.count = 1000
tell(:copied) { [copy.count, Base.count] }

# References in old classes to new objects.
class Keeper
  @@list = nil
  def self.keep(i) = @@list = [i, @@list && @@list[0]]
  def self.list = @@list
end
GC.start
300.times { |i| Keeper.keep(i.to_s * 5) }
GC.start
tell(:kept) { Keeper.list }

# The table grows while a loop uses it.
class Growing
  @@count = 0
  @@text = ""
  def self.grow(i) = class_variable_set("@@more_#{i}", i)
  def self.run(n)
    i = 0
    while i < n
      @@count += 1
      grow(i) if i % 100 == 99
      @@text = @@count.to_s if i % 50 == 49
      i += 1
    end
    [@@count, @@text, class_variable_get(:@@count), class_variable_get(:@@text)]
  end
end
tell(:growing) { Growing.run(1500) }
