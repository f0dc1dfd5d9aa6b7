# Anonymous parameters of blocks are named like those of lambdas; an eager enumerator shows the lazy one.
p proc { |a, *| }.parameters, lambda { |a, *| }.parameters, proc { |*| }.parameters, proc { |a,| }.parameters
p proc { |**| }.parameters, proc { |a, &| }.parameters, proc { |x, *, y| }.parameters, proc { |(a, *), b| }.parameters
eager = (1..3).lazy.map { _1 * 2 }.eager
p eager, eager.size, eager.next, eager.map { _1 + 1 }, eager.with_index.to_a, eager.lazy.first(1), eager.class
