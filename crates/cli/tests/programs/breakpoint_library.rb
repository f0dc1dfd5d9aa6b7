# require "beni/breakpoint": breakpoints by location, method and exception, with conditions and hit counts.
p require("beni/breakpoint"), require("beni/breakpoint")
B = Beni::Breakpoint

class User
  def self.find(id) = new(id)
  attr_reader :id

  def initialize(id)
    @id = id
  end

  def save(times = 1)
    total = 0

    times.times do |i|
      total += i
    end
    total
  end

  def fail
    Integer("x" * id)
  end
end

here = File.basename(__FILE__)
b = B.line(here, 16) { |hit| p [:line, hit.lineno, hit.method_id, hit.binding.local_variables, hit.number] }
User.new(1).save(2)
p b.hits, b.stops, b.enabled?, b.set?
b.disable
User.new(1).save(2)
b.enable
b.delete
p B.all

B.line("#{here}:15", if: "times > 2") { |hit| p [:slid, hit.lineno, hit.binding.local_variable_get(:times)] }
User.new(1).save(2)
User.new(1).save(3)
B.clear

b = B.line(__FILE__, 17, skip: 2, every: 3) { |hit| p [:counted, hit.number] }
User.new(1).save(9)
p b.hits, b.stops
B.clear

b = B.line(/#{here}\z/, 17, once: true) { |hit| p [:once, hit.number] }
User.new(1).save(3)
p b.enabled?
B.clear

B.method("User#save") { |hit| p [:save, hit.arguments, hit.receiver.id] }
B.method("User.find") { |hit| p [:find, hit.arguments] }
B.method(User.instance_method(:id)) { |hit| p [:id, hit.binding.local_variables.include?(:b)] }
B.method("Later#run") { |hit| p [:later, hit.arguments] }
p B.all.map(&:location), B.all.map(&:set?)
user = User.find(3)
user.save(0)
class Later
  def run(x) = x
end
Later.new.run(1)
class Later
  def run(x) = x + 1
end
Later.new.run(2)
user.id
B.clear
user.save(0)

B.raise(ArgumentError, if: ->(hit) { hit.exception.message.include?("xxx") }) { |hit| p [:raise, hit.method_id, hit.exception.class] }
User.new(2).fail rescue 1
User.new(3).fail rescue 1
B.clear

file = "/tmp/beni-breakpoint-#{$$}.rb"
B.line(File.basename(file), 2) { |hit| p [:loaded, hit.lineno] }
p B.all.first.set?
begin
  File.write(file, "x = 1\ny = 2\n")
  2.times { load file }
ensure
  File.delete(file)
end
B.clear

B.line(here, 10, if: "nothing_there") { p :never }
$stderr = $stdout
$VERBOSE = false
User.new(1)
$VERBOSE = nil
$stderr = STDERR
B.clear
[-> { B.line("x") }, -> { B.line("x", 0) }, -> { B.line("x", 1, foo: 1) }, -> { B.method("x") }, -> { B.method(1) }, -> { B.line("x", 1, every: 0) }].each do |bad|
  bad.call
rescue ArgumentError, TypeError => e
  p e.message
end
p B.all.size
