# Arrays of rows, symbols and mixed numbers are sorted without calls if a program cannot observe the difference.
p [[1, "b"], [1, "a"], [0, "z"]].sort, [[2.0, :b], [2, :a]].sort, [:b, :a, :ab].sort, [[], [1], [0, 5], []].sort
p [[1, [2, "x"]], [1, [2, "a"]]].sort, [["a\0", 1], ["a", 2]].sort, [-0.0, 0.0, -1, 1.5, 0].sort
begin; [[1], ["a"]].sort; rescue => e; p e.class; end
begin; [[1, nil], [1, 2]].sort; rescue => e; p e.class; end
begin; [[Float::NAN], [1.0]].sort; rescue => e; p e.class; end
begin; [:a, "a"].sort; rescue => e; p e.class; end
a = [1]; a << a; b = [1]; b << b; p a <=> b, [a] <=> [a], (a <=> [1, [1, [1]]])
p [2**53, 2.0**53, 2**53 + 1].sort, [2**60, 3, -2**60].sort, ([1,2] <=> [1,2,3]), ([1, "a"] <=> [1, :a])
p %w[prefixes prefixed prefix abcdefgh abcdefghi abcdefg].sort, %w[b a c].sort_by { |x| [x == "c" ? 0 : 1, x] }
class Array; alias old <=>; def <=>(o) = -(old(o)); end
p [[1, "b"], [1, "a"], [0, "z"]].sort
class Symbol; def <=>(o) = o.to_s <=> to_s; end
p [:b, :a, :ab].sort
