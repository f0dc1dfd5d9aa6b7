# A `return` in a singleton class's body does not leave the file, and one in END leaves nothing.
def tried
  yield
rescue LocalJumpError => e
  p e.message, e.reason, e.exit_value
end

tried { [1].each { class << Object.new; return; end } }
block = proc { class << Object.new; return 3; end }
tried(&block)

def from_method = [1].each { class << self; return 4; end }
300.times { raise "hot" unless from_method == 4 }
p from_method
p -> { class << Object.new; return 5; end }.call

def at_end
  END { begin; return; rescue LocalJumpError => e; p e.reason; end }
end
at_end
