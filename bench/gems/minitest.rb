# Runs 200 tests with seven assertions each.
require_relative "harness"
require "minitest"
require "minitest/mock"

Minitest.seed = 1
TESTS = Class.new(Minitest::Test) do
  200.times do |i|
    define_method("test_#{i}") do
      assert_equal i, i
      refute_nil i
      assert_includes [1, 2, i], i
      assert_raises(ArgumentError) { Integer("x") }
      assert_in_delta 1.0, 1.0001, 0.1
      mock = Minitest::Mock.new
      mock.expect(:a, 1, [2])
      mock.a(2)
      mock.verify
    end
  end
end
Minitest::Runnable.runnables.delete(TESTS)

measure { TESTS.runnable_methods.each { |name| TESTS.new(name).run.passed? or raise name } }
