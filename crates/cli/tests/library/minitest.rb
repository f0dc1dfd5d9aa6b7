# Fifteen tests, some of which fail on purpose. Output from CRuby 4.1dev with minitest 6.0.0.
require "minitest/autorun"
class Calc; def add(a,b) = a+b; end
class TestCalc < Minitest::Test
  def setup; @c = Calc.new; end
  def test_add; assert_equal 3, @c.add(1,2); end
  def test_fail; assert_equal 4, @c.add(1,2), "sum"; end
  def test_error; raise "boom"; end
  def test_skip; skip "later"; end
  def test_diff; assert_equal "a\nb\nc\n"*3, "a\nx\nc\n"*3; end
  def test_raises; e = assert_raises(ZeroDivisionError) { 1/0 }; assert_match(/divided/, e.message); end
  def test_includes; assert_includes [1,2], 3; end
  def test_output; assert_output("hi\n") { puts "hi" }; end
  def test_delta; assert_in_delta 1.0, 1.0001, 0.01; refute_nil 1; assert_nil nil; assert_empty []; assert_kind_of Integer, 1; assert_respond_to 1, :+; assert_predicate 2, :even?; assert_throws(:x) { throw :x }; end
end
describe "spec style" do
  before { @a = [1] }
  let(:b) { 5 }
  it "works" do _(@a.first).must_equal 1; _(b).must_equal 5; expect { raise "x" }.must_raise RuntimeError end
  it("todo")
end
