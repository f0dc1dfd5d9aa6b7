# Objects that claim to respond to everything: a conversion that they do not have is not called.
class Yes
  def respond_to?(*) = true
end

def try
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end

try { [[Yes.new]].flatten.size }
try { first, second = Yes.new; [first.class, second] }
try { proc { |a, b| [a.class, b] }.call(Yes.new) }
try { Array(Yes.new).size }
try { [*Yes.new].size }
try { "a" + Yes.new }
try { Integer(Yes.new) }
try { {}.merge(Yes.new) }
try { [1] == Yes.new }
try { raise Yes.new }
try { Process.wait(spawn("true", 3 => [:child, 4], 4 => [:child, 3])) }
try { Process.wait(spawn("true", 3 => [:child, 4], 4 => [:child, 5], 5 => [:child, 4])) }
try { Process.wait(spawn("true", 3 => [:child, 7])) }
try { Process.wait(spawn("true", out: :close, 3 => [:child, :out])) }
try { Process.wait(spawn("true", 3 => [:child, 4], 4 => [:child, :out], out: File::NULL)); $?.success? }
