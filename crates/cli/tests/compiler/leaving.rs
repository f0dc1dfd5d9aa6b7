//! `break` and `return` in blocks that are not inlined in the method that they leave.

use super::{
    check,
    memory::{count, run},
};

// Recorded from CRuby 4.1dev.
#[test]
fn blocks_that_are_left_by_break_and_return() {
    check(
        r##"def each_of(list, &block) = list.each(&block)
def passes(list) = list.each { |x| yield x }
def found(list, k)
  each_of(list) { |x| return [:found, x] if x == k }
  :none
end
def broken(list, k) = each_of(list) { |x| break [:broken, x] if x == k }
def ensured(list, k, log)
  passes(list) do |x|
    begin
      return x if x == k
    ensure
      log << x
    end
  end
  log << :end
end
def nested(lists, k)
  lists.each { |list| each_of(list) { |x| return x * 10 if x == k; break if x > k } }
  nil
end
def by_lambda(k)
  l = lambda { |x| return x + 1 if x > k; [x].each { |y| return y - 1 } }
  [l.(k + 1), l.(k)]
end
class C
  define_method(:m) { |list, k| list.each { |x| return x if x == k }; :m }
end
def orphan = proc { |x| return x }
def in_method
  begin
    orphan.(1)
  rescue LocalJumpError => e
    [e.message, e.reason, e.exit_value]
  end
end
def once(s) = s.sub(/#{"b" * 2}/o, "x")
list = [1, 2, 3, 4, 5]
all = -> {
  log = []
  [found(list, 3), found(list, 9), broken(list, 2), broken(list, 7), ensured(list, 2, log), ensured(list, 8, log), log,
   nested([list, list], 4), nested([[1, 5], [2]], 2), by_lambda(4), C.new.m(list, 5), C.new.m([], 1), in_method,
   once("abbc")]
}
first = all.()
300.times { raise "differs" unless all.() == first }
first.each { |x| p x }"##,
        "[:found, 3]\n\
         :none\n\
         [:broken, 2]\n\
         [1, 2, 3, 4, 5]\n\
         2\n\
         [1, 2, 1, 2, 3, 4, 5, :end]\n\
         [1, 2, 1, 2, 3, 4, 5, :end]\n\
         40\n\
         20\n\
         [6, 3]\n\
         5\n\
         :m\n\
         [\"unexpected return\", :return, 1]\n\
         \"axc\"\n",
    );
}

#[test]
fn what_leaves_a_block_and_what_runs_once_stays_compiled() {
    let code = r##"
def each_of(list, &block) = list.each(&block)
def found(list, k) = each_of(list) { |x| return x if x == k }
def broken(list, k) = each_of(list) { |x| break x if x == k }
def once(s) = s.match?(/#{"b" * 2}/o)
5000.times { found([1, 2], 2); broken([1, 2], 2); once("abb") }"##;
    let output = run(&["--jit-threshold=50", "--jit-stats"], code);
    for opcode in ["Break", "ReturnOuter", "Once"] {
        let text = String::from_utf8_lossy(&output.stderr);
        let is_left = text.contains(&format!("exits at {opcode} "));
        let exits = if is_left { count(&output, &format!("exits at {opcode}")) } else { 0 };
        assert!(exits <= 300, "{opcode}: {text}");
    }
}

// Recorded from CRuby 4.1dev.
#[test]
fn a_block_in_a_class_body_leaves_the_lambda_or_method_around_it() {
    check(
        r##"def by_singleton
  class << self
    [1].each { |x| return x }
  end
  :end
end
by_lambda = -> {
  class Inner
    class << self
      begin
        [2].each { |x| return x }
      ensure
        $log << :ensured
      end
    end
  end
  :end
}
all = -> {
  $log = []
  [by_singleton, by_lambda.call, $log]
}
first = all.()
300.times { raise "differs" unless all.() == first }
p first
class Outer
  [3].each { |x| return x }
rescue LocalJumpError => e
  p e.message, e.reason, e.exit_value
end"##,
        "[1, 2, [:ensured]]\n\
         \"unexpected return\"\n\
         :return\n\
         3\n",
    );
}
