# Environment variables set the sizes of stacks, as in CRuby.
NAMES = %w[
  RUBY_THREAD_VM_STACK_SIZE RUBY_THREAD_MACHINE_STACK_SIZE RUBY_FIBER_VM_STACK_SIZE RUBY_FIBER_MACHINE_STACK_SIZE
]

def printed(program, *sizes)
  variables = NAMES.zip(sizes).to_h { |name, size| [name, size&.to_s] }
  IO.popen([variables, RbConfig.ruby, "-e", program], &:read)
end

parameters = "p RubyVM::DEFAULT_PARAMS, RubyVM::DEFAULT_PARAMS.frozen?"
puts printed(parameters), printed(parameters, 10_000_001, "x", -5, 5_000_001)

depths = <<~PROGRAM
  def depth(n) = depth($depth = n + 1)
  def overflow
    depth(0)
  rescue SystemStackError
    p $depth
  end
  overflow
  Fiber.new { overflow }.resume
  Thread.new { overflow }.join
PROGRAM
small, usual, large = [[0, 0, 0, 0], [], [4 << 20, 4 << 20, 4 << 20, 4 << 20]].map do |sizes|
  printed(depths, *sizes).split.map(&:to_i)
end
p small.size, small.zip(usual).all? { |a, b| a < b }, usual.zip(large).all? { |a, b| a < b }
p printed("Fiber.new { print Fiber.yield(1) }.tap { |fiber| print fiber.resume; fiber.resume(2) }", 0, 0, 0, 0)
p printed("print [[[1]]].flatten.inspect.then { |text| eval(text) }", 0, 0, 0, 0)
