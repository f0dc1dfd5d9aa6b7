# Composed and curried procs pass keywords and blocks on.
f = ->(**options) { options.merge(a: 1) }
g = ->(options) { options.merge(b: 2) }
p (f >> g).call(c: 3)
p (g << f).call(**{})
p [(f << g), (g >> f)].map { |h| h.call(a: 3) rescue $!.class }
p (f.method(:call) >> g).call(c: 3)
twice = proc { |x| x * 2 }
one = proc { |&block| block.call(1) }
p (twice << one).call { |x| x + 3 }
p (one >> twice).call { |x| x + 3 }
add = lambda { |x, y, &block| block.call(x, y) }
p add.curry[1].call(2) { |x, y| [x, y] }

# A `return` whose lambda has ended raises a LocalJumpError and leaves no frame.
def orphan
  -> { Proc.new { return :method } }.call.call
  :not_reached
rescue LocalJumpError => e
  [e.message, e.reason]
end
p orphan
def inner
  -> { Proc.new { return :lambda }.call }.call
end
p inner
def defined_by_block
  self.class.define_method(:by_block) { Proc.new { return :method } }
  by_block.call
rescue LocalJumpError => e
  e.reason
end
p defined_by_block
