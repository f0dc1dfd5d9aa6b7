# Ten tests, some of which fail on purpose. Output from CRuby 3.4.11 with test-unit 3.6.7.
require "test/unit"
class TestThing < Test::Unit::TestCase
  class << self
    def startup; puts "startup"; end
    def shutdown; puts "shutdown"; end
  end
  def setup; @x=1; end
  def test_ok; assert_equal(1,@x); assert_true(true); assert_nothing_raised { 1 }; end
  def test_fail; assert_equal({a: 1, b: [1,2]}, {a: 1, b: [1,3]}); end
  def test_err; raise ArgumentError, "bad"; end
  def test_omit; omit("no"); end
  def test_pend; pend("todo"); end

  def test_raise; assert_raise(RuntimeError.new("x")) { raise "x" }; end
  data("a"=>1,"b"=>2)
  def test_data(d); assert_operator d, :<, 2; end
  sub_test_case "sub" do
    test "inner" do assert_in_delta 1, 1.01, 0.1; end
  end
end
