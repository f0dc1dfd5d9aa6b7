# A harness for the programs of ruby-bench, which takes the place of its own: each prints the processor time, in
# seconds, of its first, its fastest and its median run. Gems come from the folders of bench/gems/harness.rb.
#
#     target/release/beni -I bench/ruby_bench CHECKOUT/benchmarks/nbody/benchmark.rb
require_relative "../gems/harness"

def run_benchmark(_runs = nil, **) = measure { yield 0 }
def use_gemfile(**) = nil
def make_shareable(object) = object
