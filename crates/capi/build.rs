//! Generates from the table `functions.txt`: the prototypes of the headers, the C functions that extensions call, the
//! Rust side of the border, and the list of symbols that the command exports.
//!
//! The headers go to the folder `capi/include` beside the command, where RbConfig finds them.

#[path = "table.rs"]
mod table;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use table::{Form, Table};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    for input in ["functions.txt", "headers.txt", "table.rs", "include", "csrc", "src"] {
        println!("cargo::rerun-if-changed={}", root.join(input).display());
    }
    let table = Table::read(&root);
    fs::write(out.join("shims.c"), shims(&table)).unwrap();
    fs::write(out.join("exports.rs"), rust_side(&table)).unwrap();
    let dynamic_list = out.join("exports.list");
    fs::write(&dynamic_list, exports(&table, &root)).unwrap();
    println!("cargo::metadata=exports={}", dynamic_list.display());

    // target/<profile>/build/beni-capi-…/out
    let beside_command = out.ancestors().nth(3).unwrap().join("capi");
    let include = beside_command.join("include");
    copy_changed(&root.join("include"), &include);
    write_changed(&include.join("ruby/internal/functions.h"), &prototypes(&table));
    forward_headers(&root.join("headers.txt"), &include);
    write_changed(&beside_command.join("symbols.ld"), &provided(&table, &root));

    let mut build = cc::Build::new();
    build.include(&include).include(root.join("csrc")).flag_if_supported("-fno-strict-aliasing");
    build.flag_if_supported("-fno-omit-frame-pointer").warnings(true).extra_warnings(false).define("BENI_CORE", None);
    for file in [
        "jump", "variadic", "format", "arguments", "variables", "util", "onigmo", "memory_view", "objects", "numbers",
        "paths", "processes",
    ] {
        build.file(root.join(format!("csrc/{file}.c")));
    }
    build.file(out.join("shims.c"));
    // Most of these functions are referred to only by extensions.
    build.link_lib_modifier("+whole-archive").compile("beni_capi");
}

/// `extern "C"` declarations of every function.
fn prototypes(table: &Table) -> String {
    let mut text = String::from(
        "/* The functions of the interface; made from crates/capi/functions.txt. */\n\
         #ifndef BENI_FUNCTIONS_H\n#define BENI_FUNCTIONS_H 1\n",
    );
    for f in table.present() {
        let noreturn = if f.noreturn { "RBIMPL_ATTR_NORETURN() " } else { "" };
        writeln!(text, "{noreturn}{};", f.prototype()).unwrap();
    }
    text.push_str("/* Beni lacks these: a call of one is an error of the compiler that says so. */\n");
    for f in table.functions.iter().filter(|f| !f.present) {
        writeln!(text, "BENI_MISSING(\"{}\") {};", lacks(&f.name), f.prototype()).unwrap();
    }
    let is_function = |name: &str| name.starts_with("rb_") && !name.contains('*');
    for (name, _) in table.missing.iter().filter(|(name, _)| is_function(name)) {
        writeln!(text, "BENI_MISSING(\"{}\") int {name}(ANYARGS);", lacks(name)).unwrap();
    }
    text.push_str("#endif\n");
    text
}

fn lacks(name: &str) -> String {
    format!("Beni lacks {name}; docs/c-api.md lists the functions of the C interface, and the reasons")
}

/// The functions that extensions call: each calls Rust, and jumps if an exception was raised.
fn shims(table: &Table) -> String {
    let mut text = String::from("#include \"border.h\"\n\n");
    for f in table.present().filter(|f| !matches!(f.form, Form::C)) {
        let name = &f.name;
        let declared: Vec<String> = f.parameters.iter().map(|p| p.c_type()).collect();
        let named: Vec<String> = f.parameters.iter().enumerate().map(|(i, p)| format!("{} a{i}", p.c_type())).collect();
        let passed: Vec<String> = (0..f.parameters.len()).map(|i| format!("a{i}")).collect();
        let list = |items: &[String]| if items.is_empty() { "void".to_string() } else { items.join(", ") };
        let result = f.result.c_type();
        let is_void = result == "void";
        // The name in parentheses is not that of a macro.
        let head = format!("{result} ({name})({})", list(&named));
        let give = if is_void { "" } else { "return " };
        match f.form {
            Form::Pure => {
                writeln!(text, "extern {result} beni_rs_{name}({});", list(&declared)).unwrap();
                writeln!(text, "{head} {{ {give}beni_rs_{name}({}); }}", passed.join(", ")).unwrap();
            }
            Form::Plain => {
                let (all, given) = with_context(&declared, &passed);
                writeln!(text, "extern {result} beni_rs_{name}({all});").unwrap();
                writeln!(text, "{head} {{ {give}beni_rs_{name}({given}); }}").unwrap();
            }
            _ => {
                let (all, given) = with_context(&declared, &passed);
                let value = if is_void { String::new() } else { format!("{result} value; ") };
                writeln!(text, "struct beni_of_{name} {{ {value}long state; }};").unwrap();
                writeln!(text, "extern struct beni_of_{name} beni_rs_{name}({all});").unwrap();
                let mut head = head;
                if f.quick {
                    writeln!(
                        text,
                        "static __attribute__((noinline)) {result} slow_{name}({});\n{head} {{",
                        list(&named)
                    )
                    .unwrap();
                    writeln!(text, "    extern VALUE beni_quick_{name}({all});").unwrap();
                    writeln!(text, "    VALUE value = beni_quick_{name}({given});").unwrap();
                    writeln!(text, "    if (__builtin_expect(value != Qundef, 1)) return ({result})value;").unwrap();
                    writeln!(text, "    return slow_{name}({});\n}}", passed.join(", ")).unwrap();
                    head = format!("static {result} slow_{name}({})", list(&named));
                }
                writeln!(text, "{head} {{").unwrap();
                writeln!(text, "    struct beni_jump *top = beni_top;").unwrap();
                writeln!(text, "    struct beni_of_{name} r = beni_rs_{name}({given});").unwrap();
                writeln!(text, "    beni_top = top;").unwrap();
                if f.noreturn {
                    writeln!(text, "    (void)r; beni_jump(top);").unwrap();
                } else {
                    writeln!(text, "    if (__builtin_expect(r.state != 0, 0)) beni_jump(top);").unwrap();
                    if !is_void {
                        writeln!(text, "    return r.value;").unwrap();
                    }
                }
                writeln!(text, "}}").unwrap();
            }
        }
    }
    text
}

fn with_context(declared: &[String], passed: &[String]) -> (String, String) {
    let all: Vec<&str> = std::iter::once("void *").chain(declared.iter().map(String::as_str)).collect();
    let given: Vec<&str> = std::iter::once("beni_context").chain(passed.iter().map(String::as_str)).collect();
    (all.join(", "), given.join(", "))
}

/// The Rust functions that the C side calls; they wrap the functions of the topic modules.
fn rust_side(table: &Table) -> String {
    let mut text = String::new();
    for f in table.present() {
        let name = &f.name;
        let types: Vec<String> = f.parameters.iter().map(|p| p.rust_type()).collect();
        let named: String = types.iter().enumerate().map(|(i, t)| format!(", a{i}: {t}")).collect();
        let passed: Vec<String> = (0..types.len()).map(|i| format!("a{i}")).collect();
        let passed = passed.join(", ");
        let result = f.result.rust_type();
        let gives = if result == "()" { String::new() } else { format!(" -> {result}") };
        let module = &f.section;
        let start = format!("#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn beni_rs_{name}");
        match &f.form {
            Form::C => {}
            Form::Pure => {
                let named = named.strip_prefix(", ").unwrap_or("");
                writeln!(text, "{start}({named}){gives} {{\n    crate::{module}::{name}({passed})\n}}").unwrap();
            }
            Form::Plain => {
                let call = format!("crate::{module}::{name}(border::context(cx), {passed})");
                writeln!(text, "{start}(cx: *mut Cx{named}){gives} {{\n    {call}\n}}").unwrap();
            }
            Form::Rust => {
                if f.quick {
                    let start = start.replace("beni_rs_", "beni_quick_");
                    let call = format!("crate::{module}::quick_{name}(border::context(cx), {passed})");
                    writeln!(text, "{start}(cx: *mut Cx{named}) -> Value {{").unwrap();
                    writeln!(text, "    {call}.unwrap_or(Value::UNDEF)\n}}").unwrap();
                }
                let call = format!("border::enter(cx, \"{name}\", |cx| crate::{module}::{name}(cx, {passed}))");
                let result = if f.noreturn { "()".to_string() } else { result };
                writeln!(text, "{start}(cx: *mut Cx{named}) -> Outcome<{result}> {{\n    {call}\n}}").unwrap();
            }
            Form::Send(method) => {
                let rest = passed.strip_prefix("a0").unwrap().trim_start_matches(", ");
                let body = format!("border::perform(cx, a0, \"{method}\", &[{rest}])");
                let call = format!("border::enter(cx, \"{name}\", |cx| {body})");
                writeln!(text, "{start}(cx: *mut Cx{named}) -> Outcome<Value> {{\n    {call}\n}}").unwrap();
            }
            Form::On(constant, method) => {
                let call = format!(
                    "border::enter(cx, \"{name}\", |cx| border::send_to(cx, \"{constant}\", \"{method}\", &[{passed}]))"
                );
                writeln!(text, "{start}(cx: *mut Cx{named}) -> Outcome<Value> {{\n    {call}\n}}").unwrap();
            }
        }
    }
    text
}

/// The linker's list of the symbols that extensions may use.
fn exports(table: &Table, root: &Path) -> String {
    let names: String = names(table, root).iter().map(|name| format!("  {name};\n")).collect();
    format!("{{\n{names}}};\n")
}

/// A linker script through which mkmf's tests find the functions of the interface.
fn provided(table: &Table, root: &Path) -> String {
    names(table, root).iter().map(|name| format!("PROVIDE({name} = 0);\n")).collect()
}

/// Functions and variables.
fn names(table: &Table, root: &Path) -> Vec<String> {
    let mut names: Vec<String> = table.present().map(|f| f.name.clone()).collect();
    let variables = fs::read_to_string(root.join("include/ruby/internal/globals.h")).unwrap();
    for line in variables.lines().filter_map(|line| line.strip_prefix("RUBY_EXTERN ")) {
        let name = line.split(';').next().unwrap_or("").rsplit([' ', '*']).next().unwrap_or("");
        names.push(name.split('[').next().unwrap_or("").to_string());
    }
    names
}

fn copy_changed(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_changed(&entry.path(), &target);
        } else {
            write_changed(&target, &fs::read_to_string(entry.path()).unwrap());
        }
    }
}

/// Writes the headers that only include others.
fn forward_headers(list: &Path, include: &Path) {
    let list = fs::read_to_string(list).unwrap();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, other) = line.split_once(": ").unwrap_or((line, "ruby/ruby.h"));
        write_changed(&include.join(name), &format!("#include \"{other}\"\n"));
    }
}

/// Writes a file only if it changed, because extensions are compiled again when a header is newer.
fn write_changed(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
