//! An extension in C is configured by mkmf, compiled and called. It needs the standard library, which
//! `cargo xtask stdlib` fetches, and a C compiler.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn beni() -> Command {
    Command::new(env!("CARGO_BIN_EXE_beni"))
}

/// Compiles `thin.c` once, in a folder of its own; `None` without a standard library.
fn compiled(folder: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BENI_STDLIB").is_none() && !root.join("../../target/stdlib").is_dir() {
        eprintln!("no standard library: cargo xtask stdlib");
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    let sources = root.join("tests/extensions");
    succeeded(beni().current_dir(&folder).arg(sources.join("extconf.rb")).output().unwrap());
    succeeded(Command::new("make").current_dir(&folder).output().unwrap());
    Some(folder)
}

fn succeeded(output: Output) -> Output {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    output
}

#[test]
fn an_extension_is_compiled_and_called() {
    let Some(folder) = compiled("extension") else { return };
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/extensions");
    for name in ["calls", "looks", "hears", "finds", "keeps", "shares", "parts", "reads", "older", "defines", "passes"]
    {
        let program = sources.join(format!("{name}.rb"));
        let expected = std::fs::read_to_string(sources.join(format!("{name}.out"))).unwrap();
        for hot in [&[][..], &["--jit-threshold=1"]] {
            let output = succeeded(beni().args(hot).arg("-I").arg(&folder).arg(&program).output().unwrap());
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{name} {hot:?}");
        }
    }
}

#[test]
fn a_fault_in_an_extension_names_its_library() {
    let Some(folder) = compiled("faulting") else { return };
    let program = "require 'thin'; def calls = Thin.faults; calls";
    let output = beni().arg("-I").arg(&folder).args(["-e", program]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.starts_with("-e:1: [BUG] Segmentation fault at 0x10"), "{text}");
    for part in ["in 'Thin.faults'", "in 'Object#calls'", "faulting/thin.so+0x", "The fault is in an extension"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn an_extension_adds_to_a_crash_report() {
    let Some(folder) = compiled("reporting") else { return };
    let report = folder.join("report.txt");
    let template = format!("--crash-report={}", report.display());
    let program = "require 'thin'; p Thin.report_bugs, Thin.report_bugs; $stdout.flush; Thin.faults";
    let output = beni().arg("-I").arg(&folder).args([&template, "-e", program]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1\n1\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = std::fs::read_to_string(&report).unwrap();
    assert!(text.starts_with("-e:1: [BUG] Segmentation fault at 0x10"), "{text}");
    assert!(text.contains("\nAdded: a line\nAdded: a line\n"), "{text}");
}

/// Programs that use `Thin::Hostile`, and what their errors contain; `true` if they succeed.
const HOSTILE: &[(&str, bool, &str)] = &[
    ("a = H.allocating_mark(1); GC.start", false, "[BUG] rb_str_new_cstr was called by a dmark or dfree function"),
    ("a = H.raising_mark(1); GC.start", false, "was called by a dmark or dfree function during a collection"),
    ("20.times { H.allocating_free(1) }; GC.start", false, "[BUG] rb_str_new_cstr was called by a dmark or dfree"),
    ("20.times { H.raising_free(1) }; GC.start", false, "was called by a dmark or dfree function during a collection"),
    ("20.times { H.late_allocating_free(1) }; GC.start", true, ""),
    ("20.times { H.late_raising_free(1) }; GC.start", true, "warning: RuntimeError was raised by a dfree function"),
    ("H.jump_out([1, 2])", false, "[BUG] a C function that Ruby called was left by longjmp"),
    // The report comes from the memory fault, or in a debug build from an assertion of the collector.
    ("H.write_late", false, "[BUG] "),
    ("a = 5.times.map { H.careful('hidden' + _1.to_s) }; GC.start; a.size", true, ""),
    (
        "a = 5.times.map { H.forgetful('hidden' + _1.to_s) }; GC.start; a.size",
        true,
        "[--verify-heap] the structure of a forgetful refers to a dead object at byte 0",
    ),
];

#[test]
fn a_hostile_extension_is_an_error() {
    let Some(folder) = compiled("hostile") else { return };
    for (program, succeeds, expected) in HOSTILE {
        let program = format!("require 'thin'; H = Thin::Hostile; {program}; GC.start");
        let output = beni().args(["--verify-heap", "-I"]).arg(&folder).args(["-e", &program]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), *succeeds, "{program}: {text}");
        assert!(text.contains(expected) && (!succeeds || !expected.is_empty() || text.is_empty()), "{program}: {text}");
    }
}

#[test]
fn structures_are_freed_when_the_process_ends() {
    let Some(folder) = compiled("ending") else { return };
    let program = "require 'thin'; $a = Thin::Hostile.speaking(7); at_exit { puts 'at exit' }; puts 'end'";
    let output = succeeded(beni().arg("-I").arg(&folder).args(["-e", program]).output().unwrap());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "end\nat exit\nfreed 7\n");
}

#[test]
fn a_call_of_a_missing_function_does_not_compile() {
    let Some(folder) = compiled("missing") else { return };
    let source = "#include <ruby.h>\nvoid Init_missing(void) { rb_refinement_new(); }\n";
    std::fs::write(folder.join("missing.c"), source).unwrap();
    let include = Path::new(env!("CARGO_BIN_EXE_beni")).with_file_name("capi").join("include");
    let mut compiler = Command::new("cc");
    compiler.current_dir(&folder).args(["-shared", "-fPIC", "-o", "missing.so", "missing.c", "-I"]).arg(include);
    let output = compiler.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(text.contains("Beni lacks rb_refinement_new; docs/c-api.md"), "{text}");
}

#[test]
fn an_extension_that_was_compiled_for_cruby_is_refused() {
    let Some(folder) = compiled("foreign") else { return };
    let source = "int rb_st_lookup(void);\nvoid Init_foreign(void) { rb_st_lookup(); }\n";
    std::fs::write(folder.join("foreign.c"), source).unwrap();
    let compile = ["-shared", "-fPIC", "-o", "foreign.so", "foreign.c"];
    succeeded(Command::new("cc").current_dir(&folder).args(compile).output().unwrap());
    let output = beni().arg("-I").arg(&folder).args(["-e", "require 'foreign'"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("it was compiled for CRuby"), "{text}");
}

#[test]
fn an_extension_that_lacks_a_function_is_a_load_error() {
    let Some(folder) = compiled("incomplete") else { return };
    let source = "void rb_no_such_function(void);\nvoid Init_incomplete(void) { rb_no_such_function(); }\n";
    std::fs::write(folder.join("incomplete.c"), source).unwrap();
    let compile = ["-shared", "-fPIC", "-o", "incomplete.so", "incomplete.c"];
    succeeded(Command::new("cc").current_dir(&folder).args(compile).output().unwrap());
    let program = "begin; require 'incomplete'; rescue LoadError => e; puts e.message; end";
    let output = succeeded(beni().arg("-I").arg(&folder).args(["-e", program]).output().unwrap());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("rb_no_such_function") && text.contains("docs/c-api.md"), "{text}");
}

/// With `-I` and a compiled version of a library that is built in, the compiled one is used, unless it was compiled for
/// CRuby.
#[test]
fn a_compiled_library_replaces_the_built_in_one() {
    let Some(folder) = compiled("replacing") else { return };
    let include = Path::new(env!("CARGO_BIN_EXE_beni")).with_file_name("capi").join("include");
    for (source, expected) in [
        ("#include <ruby.h>\nvoid Init_etc(void) { rb_define_global_const(\"MADE\", Qtrue); }\n", "true true\n"),
        ("int rb_st_lookup(void);\nvoid Init_etc(void) { rb_st_lookup(); }\n", "nil false\n"),
    ] {
        std::fs::write(folder.join("etc.c"), source).unwrap();
        let mut compiler = Command::new("cc");
        compiler.current_dir(&folder).args(["-shared", "-fPIC", "-o", "etc.so", "etc.c", "-I"]).arg(&include);
        succeeded(compiler.output().unwrap());
        let program = "path = $:.resolve_feature_path('etc')[1]; p require('etc'), require('etc.so')
            puts [defined?(MADE) ? MADE : nil, $\".include?(path)].map(&:inspect).join(' ')";
        let output = succeeded(beni().arg("-I").arg(&folder).args(["-e", program]).output().unwrap());
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("true\nfalse\n{expected}"));
    }
}

/// A Ruby file of a library that is built in is loaded from the folder that has a compiled part of that library.
#[test]
fn ruby_files_go_with_compiled_parts() {
    let Some(folder) = compiled("mixed") else { return };
    let include = Path::new(env!("CARGO_BIN_EXE_beni")).with_file_name("capi").join("include");
    std::fs::create_dir_all(folder.join("json/ext")).unwrap();
    let source = "#include <ruby.h>\nvoid Init_parser(void) { rb_define_global_const(\"MADE\", Qtrue); }\n";
    std::fs::write(folder.join("parser.c"), source).unwrap();
    let mut compiler = Command::new("cc");
    compiler
        .current_dir(&folder)
        .args(["-shared", "-fPIC", "-o", "json/ext/parser.so", "parser.c", "-I"])
        .arg(&include);
    succeeded(compiler.output().unwrap());
    std::fs::write(folder.join("json/common.rb"), "COMMON = 1; require 'json/ext/parser'\n").unwrap();
    let program = "p require('json/common'), COMMON, MADE, require('json/version')";
    let output = succeeded(beni().arg("-I").arg(&folder).args(["-e", program]).output().unwrap());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "true\n1\ntrue\ntrue\n");
}
