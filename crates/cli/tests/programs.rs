//! Programs in `tests/programs/` print the contents of the `.out` file next to them (recorded from CRuby 4.1dev of July
//! 2026), both normally and with a collection at every few allocations.

use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "rb"))
        .collect();
    found.sort();
    found
}

fn check(options: &[&str]) {
    for program in programs() {
        let output = Command::new(env!("CARGO_BIN_EXE_beni")).args(options).arg("-W0").arg(&program).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        let expected = std::fs::read_to_string(program.with_extension("out")).unwrap();
        assert_eq!(printed, expected, "{} with {options:?}\n{errors}", program.display());
    }
}

#[test]
fn programs_print_what_they_must() {
    check(&[]);
}

#[test]
fn a_collection_at_every_few_allocations_changes_nothing() {
    check(&["--stress-gc=7", "--verify-heap"]);
}

#[test]
fn compiled_programs_print_the_same() {
    check(&["--jit-threshold=1"]);
    check(&["--jit-threshold=3", "--jit-exit-every=5"]);
}

/// What a program in an option prints.
fn printed(options: &[&str], code: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_beni")).args(options).args(["-e", code]).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_body_that_ran_does_not_run_again() {
    let code = r#"
        require "tempfile"
        Tempfile.create(["body", ".rb"]) do |file|
          File.write(file, "$place = caller_locations(0, 1)[0]; puts 'runs'")
          load file.path
        end
        begin
          RubyVM::InstructionSequence.of($place).eval
        rescue RuntimeError => e
          puts e.message
        end
    "#;
    assert_eq!(printed(&[], code), "runs\nthis code has run and was given back\n");
}

#[test]
fn deep_nesting_in_a_dump_ends_in_an_error() {
    let code = r#"
        deep = []
        200_000.times { deep = [deep] }
        [-> { Marshal.dump(deep) }, -> { Marshal.load("\x04\b" + "[\x06" * 200_000 + "0") }].each do |act|
          act.call
        rescue SystemStackError => e
          puts e.class
        end
    "#;
    assert_eq!(printed(&[], code), "SystemStackError\nSystemStackError\n");
}

/// This program is not among those above, because with a collection at every few allocations, each collection scans its
/// deep stack.
#[test]
fn endless_recursion_through_a_spread_array_ends_in_an_error() {
    let code = "def deep(l) = deep(*[l]); begin; deep(1); rescue SystemStackError => e; p e.class; end";
    for options in [&[][..], &["--jit-threshold=1"]] {
        assert_eq!(printed(options, code), "SystemStackError\n");
    }
}

/// On the small native stack of a Fiber. This program is not among those above, because each collection scans all
/// classes.
#[test]
fn a_long_chain_of_subclasses_may_be_changed() {
    let code = r#"
        base = Class.new
        top = base
        8000.times { top = Class.new(top) }
        object = top.new
        Fiber.new do
          base.define_method(:a) { 1 }
          p object.a
          base.define_method(:a) { 2 }
          p object.a
          base.include(Module.new { def b = 3 })
          p object.b
          base.prepend(Module.new { def a = super + 1 })
          p object.a
          base.class_eval "def initialize = (@a, @b, @c, @d, @e, @f, @g, @h, @i, @j = *1..10)"
          base.new
          p top.new.instance_variables.size
          base.const_set(:X, 5)
          p top.const_get(:X)
          base.class_variable_set(:@@v, 6)
          p top.class_variable_get(:@@v)
          p top.ancestors.size, top.instance_methods(true).include?(:b)
          base.undef_method(:b)
          p object.respond_to?(:b)
          p top <= base, top.superclass == base, object.is_a?(base)
          base.singleton_class.define_method(:s) { 7 }
          p top.s
          base.remove_method(:a)
          p object.a rescue p $!.class
        end.resume
    "#;
    let expected = "1\n2\n3\n3\n10\n5\n6\n8006\ntrue\nfalse\ntrue\nfalse\ntrue\n7\nNoMethodError\n";
    for options in [&[][..], &["--jit-threshold=1"]] {
        assert_eq!(printed(options, code), expected);
    }
}

/// Classes hold most of their memory outside of the heap. It makes collections due like the heap's own.
#[test]
fn garbage_classes_make_collections_due() {
    let code = r#"
        def grown_by_class(kept)
          before = GC.stat(:old_bytes)
          yield
          GC.start
          (GC.stat(:old_bytes) - before) / kept
        end
        make = ->(*) { $classes = Array.new(10_000) { Class.new } }
        GC.start
        before = GC.count
        100_000.times { Class.new }
        p GC.count - before > 4
        p grown_by_class(10_000, &make) > 300
        p grown_by_class(10_000) { 10.times(&make) } < 500
    "#;
    assert_eq!(printed(&[], code), "true\ntrue\ntrue\n");
}

#[test]
fn recursion_that_keeps_ever_more_memory_ends_early() {
    // The strings of all calls that fit on the stack would be 11 gigabytes; CRuby has room for 11,000 calls.
    let code = r#"
        def longer(text) = longer(text + "x")
        begin
          longer("")
        rescue SystemStackError => e
          p e.message, e.backtrace.size.between?(11_000, 40_000)
        end
        def count(n) = n == 100_000 ? n : count(n + 1)
        p count(0)
        def garbage(n) = "x" * 10_000 && n == 50_000 ? n : garbage(n + 1)
        p garbage(0)
    "#;
    for options in [&[][..], &["--jit=off"], &["--jit-threshold=5"]] {
        assert_eq!(printed(options, code), "\"stack level too deep\"\ntrue\n100000\n50000\n", "{options:?}");
    }
}

/// CRuby 4.1dev crashes here: its places keep the number of the slot.
#[test]
fn class_variables_are_found_after_others_were_removed() {
    let code = r#"
        class Wide
          @@first = 1
          @@second = 2
          @@third = 3
          def self.second = @@second
          def self.second=(value)
            @@second = value
          end
        end
        20.times { Wide.second += 1 }
        Wide.remove_class_variable(:@@first)
        Wide.second += 1
        p Wide.second, Wide.class_variable_get(:@@second), Wide.class_variable_get(:@@third)
        Wide.remove_class_variable(:@@second)
        p((Wide.second rescue $!.class))
        Wide.second = 24
        p Wide.second
    "#;
    for options in [&[][..], &["--jit-threshold=1"], &["--stress-gc=7", "--verify-heap"]] {
        assert_eq!(printed(options, code), "23\n23\n3\nNameError\n24\n");
    }
}

/// CRuby 4.1dev runs the method of the refinement that was active at the first call.
#[test]
fn code_that_runs_in_several_scopes_calls_what_is_refined_in_each() {
    let code = r#"
        made = [1, 2].map do |i|
          refining = Module.new { refine(Integer) { define_method(:marked) { [i, self] } } }
          Module.new do
            using refining
            define_singleton_method(:marked) { |v| v.marked }
          end
        end
        p(3.times.flat_map { made.map { |one| one.marked(7) } })
    "#;
    for options in [&[][..], &["--jit-threshold=1"], &["--stress-gc=7", "--verify-heap"]] {
        assert_eq!(printed(options, code), "[[1, 7], [2, 7], [1, 7], [2, 7], [1, 7], [2, 7]]\n");
    }
}
