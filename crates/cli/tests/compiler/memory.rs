//! The memory for machine code: code is dropped when the budget is spent, and compiled again.

use std::process::{Command, Output, Stdio};

pub fn run(switches: &[&str], code: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_beni"));
    command.args(switches).args(["-e", code]).env_remove("RUBYOPT").stdin(Stdio::null()).output().unwrap()
}

/// The value of a count that `--jit-stats` prints.
pub fn count(output: &Output, name: &str) -> u32 {
    let text = String::from_utf8_lossy(&output.stderr);
    let found = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    found.unwrap_or_else(|| panic!("no {name} in {text}"))
}

#[test]
fn evicted_code_comes_back_while_fibers_threads_and_a_child_run_it() {
    let code = r#"
n = 500
eval "class M; #{n.times.map { |i|
  "def m#{i}(x) = [x, x + #{i}].map { |y| y.to_s.size + y }.sum + (x > 5 ? m#{(i * 7 + 1) % n}(x - 3) : 0)\n"
}.join} end"
o = M.new
round = ->(seed) { (0...n).sum { |i| o.__send__("m#{(i * seed) % n}", i % 9) } }
fibers = 3.times.map { |k| Fiber.new { i = 0; loop { Fiber.yield o.send("m#{(i * k) % n}", 7); i += 1 } } }
threads = 2.times.map { |k| Thread.new { 3.times.map { |r| round.(r + k) } } }
p 5.times.map { |r| fibers.each { |fiber| 3.times { fiber.resume } }; round.(r) }
p threads.map(&:value), fibers.map(&:resume)
Process.wait fork { p round.(5) }
p round.(3)"#;
    let expected = run(&["--jit=off"], code);
    let evicting = run(&["--jit-threshold=2", "--jit-budget=1", "--jit-stats"], code);
    assert_eq!(String::from_utf8_lossy(&evicting.stdout), String::from_utf8_lossy(&expected.stdout));
    assert!(count(&evicting, "evicted") > 0);
}

#[test]
fn code_is_compiled_again_after_a_compaction() {
    let code = "def add(a, b) = a + b\n100.times { add(1, 2) }\nGC.compact\n100.times { add(1, 2) }\np add(3, 4)";
    let before = count(&run(&["--jit-threshold=9", "--jit-stats"], &code.replace("GC.compact", "")), "compiled code");
    let after = run(&["--jit-threshold=9", "--jit-stats"], code);
    assert_eq!(String::from_utf8_lossy(&after.stdout), "7\n");
    assert!(count(&after, "compiled code") > before);
}

#[test]
fn compiled_code_is_named_for_perf() {
    let code = "def well_named(n) = n < 2 ? n : well_named(n - 1) + well_named(n - 2)\nwell_named(15)\n\
                puts IO.readlines(\"/tmp/perf-#{$$}.map\").grep(/well_named/).last.split(' ', 3).last\n\
                File.delete \"/tmp/perf-#{$$}.map\"";
    let output = run(&["--jit-threshold=5", "--jit-perf-map"], code);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "well_named -e:1\n");
}

#[test]
fn a_running_activation_keeps_no_object_that_it_saved_around_an_earlier_call() {
    let code = "
class Item
  attr_accessor :before
end

def work
  i = 0
  last = Item.new
  while i < 20_000
    item = Item.new
    last.before = nil if i & 1023 == 0
    last = item
    i += 1
  end
  last = item = nil
  GC.start
  ObjectSpace.each_object(Item).count
end
p 10.times.map { work }.uniq";
    let output = run(&["--jit-threshold=5"], code);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "[0]\n");
}

/// Without this the collector finds words of earlier frames there, which only a long program shows reliably.
#[test]
fn compiled_code_clears_the_slots_of_its_native_frame() {
    let code = "def visit(list, &block) = list.each { |item| list.each { |other| block.call(item, other) } }
                200.times { |n| visit([n, 2.0, :x]) { |a, b| [a, b] } }";
    let output = run(&["--jit-threshold=5", "--dump-jit=asm:times"], code);
    let text = String::from_utf8_lossy(&output.stderr);
    let mut lines = text.lines().skip_while(|line| !line.contains("xorps xmm15,xmm15")).skip(1);
    assert!(lines.next().is_some_and(|line| line.contains(" [rbp-") && line.ends_with(",xmm15")), "{text}");
}

#[test]
fn compiled_code_keeps_no_object_whose_singleton_class_it_was_compiled_for() {
    let code = "
class Item
  def initialize(name) = @name = name
end
$items = ObjectSpace::WeakMap.new
20.times { |n| Item.class_eval \"def read#{n} = @name\" }
def use(n)
  item = Item.new(n)
  item.singleton_class
  $items[item] = n
  name = :\"read#{n}\"
  i = 0
  i += 1 while i < 30 && item.send(name) == n
end
20.times { |n| use(n) }
GC.start
p $items.size < 5
# The numbers of the dead shapes are reused, and the compiled methods still read the right variable.
3000.times { Object.new.singleton_class }
other = Class.new(Item) { def initialize(name) = (@other, @name = 0, name) }
items = ->(n) { [other.new(n), Item.new(n).tap(&:singleton_class)] }
p 20.times.all? { |n| items.(n).all? { |item| item.send(:\"read#{n}\") == n } }";
    let output = run(&["--jit-threshold=5"], code);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "true\ntrue\n", "{}", String::from_utf8_lossy(&output.stderr));
}
