# Procs of Symbols are not frozen, and shared: what is defined for one is there in the next.
first = :foo.to_proc
p first.frozen?, first.equal?(:foo.to_proc)
first.instance_variable_set(:@a, 1)
def first.own = 2
p :foo.to_proc.instance_variable_get(:@a), :foo.to_proc.own
p :foo.to_proc.dup.frozen?, :foo.to_proc.clone.frozen?
def passed(&block) = block
p passed(&:foo).frozen?, passed(&:foo).equal?(first)
$VERBOSE = false
def Warning.warn(text, **) = puts(text[/Skipping.*/])
p first.ruby2_keywords.equal?(first)
p proc(&[].method(:push)).ruby2_keywords.class
p Ractor.shareable?(:foo.to_proc)
p Ractor.make_shareable(:bar.to_proc).frozen?, :bar.to_proc.frozen?
p [1, 2].map(&:bar.to_proc) rescue p $!.class
p ["a"].map(&:upcase)
