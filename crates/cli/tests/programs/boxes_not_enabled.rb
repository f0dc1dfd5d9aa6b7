# Ruby::Box where it is not enabled.
def result
  yield
rescue Exception => e
  "#{e.class}: #{e.message}"
end

8.times do |round|
  lines = [
    result { Ruby::Box.enabled? },
    result { Ruby::Box.current },
    result { Ruby::Box.new },
    result { Ruby::Box.new(1) },
    result { Class.new(Ruby::Box).new },
    result { Ruby::Box.main },
    result { Ruby::Box.root },
  ]
  puts lines if round == 0 || round == 7
end

p Ruby::Box, Ruby::Box.class, Ruby::Box.superclass, Ruby::Box.instance_methods(false).sort
p Ruby::Box.singleton_methods(false).sort, Ruby::Box.private_instance_methods(false)
p Ruby::Box.instance_method(:load).arity, Ruby::Box.instance_method(:eval).arity
