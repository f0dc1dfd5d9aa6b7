//! The output of `-h` and `--help`.

/// A switch, its effect, additional text for the long help, and whether it is in the short help.
struct Row(&'static str, &'static str, &'static str, bool);

const SWITCHES: &[Row] = &[
    Row("-0[octal]", "Input record separator ($/)", "-0: the byte 0; -00: paragraphs; -0777: whole files", true),
    Row("-a", "With -n or -p: split each line ($_) into $F", "", true),
    Row("-c", "Check the syntax without running the program", "", true),
    Row("-Cdirectory", "Change to a directory first", "", true),
    Row("-d, --debug", "Set $DEBUG to true", "", true),
    Row("-e 'code'", "Run this code; may be given more than once", "", true),
    Row("-Eex[:in], --encoding=ex[:in]", "Default external and internal encodings", "", true),
    Row("-Fpattern", "Input field separator ($;), for -a", "", true),
    Row("-i[extension]", "Edit the files of ARGF in place", "with an extension, each original is kept as a copy", true),
    Row("-Idirectory", "Add a directory to $LOAD_PATH", "may be given more than once", true),
    Row("-l", "Set $\\ to $/, and chomp the lines of -n and -p", "", true),
    Row("-n", "Run the code for each line, as in 'while gets'", "", true),
    Row("-p", "Like -n, and print $_ after each line", "", true),
    Row("-rlibrary", "Require a library first", "", true),
    Row("-s", "Set global variables by switches after the script", "", true),
    Row("-S", "Search for the script in RUBYPATH and PATH", "", true),
    Row("-v", "Print the version, set $VERBOSE to true", "", true),
    Row("-w", "Like -W2", "", true),
    Row("-W[level=2|:category]", "Warnings: 0 none, 1 some, 2 all", "-W:category and -W:no-category: see below", true),
    Row("-x[directory]", "Skip the lines of the script before #!ruby", "", true),
    Row("--backtrace-limit=number", "Maximum number of frames in an error's backtrace", "", false),
    Row("--copyright", "Print the copyright", "", false),
    Row("--crash-report=template", "Write the report of a crash to a file or a |command", "", false),
    Row("--debug-frozen-string-literal", "Show in a FrozenError where its String literal is", "", false),
    Row("--disable=features", "Disable features; see below", "", false),
    Row("--dump=items", "Print information; see below", "", false),
    Row("--enable=features", "Enable features; see below", "", false),
    Row("--external-encoding=encoding", "Default external encoding", "", false),
    Row("--help", "Print this", "", false),
    Row("--internal-encoding=encoding", "Default internal encoding", "", false),
    Row("--jit[=on|off], --yjit, --zjit", "Compile code that runs often to machine code (on)", "", false),
    Row("--parser=parser", "prism or parse.y; Beni always uses prism", "", false),
    Row("--verbose", "Set $VERBOSE to true; without a script, do nothing", "", false),
    Row("--version", "Print the version", "", false),
    Row("-y, --yydebug", "Accepted without effect: the parser has no log", "", false),
    Row("-h", "Print the short help; --help prints more", "", true),
];

const DEBUGGING: &[Row] = &[
    Row("--dump-ast", "Print the syntax tree without running the program", "", false),
    Row(
        "--dump-bytecode[=name]",
        "Print the bytecode without running the program",
        "with a name, only that of methods with this name",
        false,
    ),
    Row("--dump-facts", "Print the facts of native methods, run nothing", "", false),
    Row(
        "--dump-jit=ir|asm[:name]",
        "Print the graph or the code that the compiler makes",
        "with a name, only those of methods with this name",
        false,
    ),
    Row("--jit-budget=number", "Maximum megabytes of compiled code in a process (16)", "", false),
    Row("--jit-exit-every=number", "Leave compiled code at each n-th instruction (tests)", "", false),
    Row("--jit-full-after=number", "Entries until compiled code is optimised (3000)", "", false),
    Row("--jit-perf-map", "Write names of compiled code to /tmp/perf-PID.map", "", false),
    Row("--jit-stats[=number]", "Print statistics of the compiler, n places (30)", "", false),
    Row("--jit-threshold=number", "Number of runs after which code is compiled (60)", "", false),
    Row(
        "--profile[=file]",
        "Write a profile of the program",
        "html, json, firefox.json, pb.gz, txt; -: ten lines",
        true,
    ),
    Row("--no-inspect", "Do not answer 'beni inspect'", "", false),
    Row("--profile-interval=number", "Microseconds between samples (1000)", "", false),
    Row(
        "--profile-mode=mode",
        "cpu: processor time (default); wall: elapsed time",
        "allocations: bytes of objects and buffers",
        false,
    ),
    Row("--stacks-on-quit", "On SIGQUIT, print the stacks of all threads", "", false),
    Row("--stats", "Print counters of objects and collections at exit", "", false),
    Row("--stress-gc[=number]", "Collect at each allocation, or at each n-th one", "", false),
    Row("--stress-signal[=number]", "Send SIGURG at each n-th safepoint (for tests)", "", false),
    Row("--stress-switch[=number]", "Run another thread at each n-th safepoint (for tests)", "", false),
    Row("--trace-gc", "Print a line for each collection", "", false),
    Row("--trace-calls", "Print a line for each method call", "", false),
    Row("--verify-facts", "Check the facts of native methods at each call", "", false),
    Row("--verify-heap", "Check the heap after each collection", "", false),
];

const DUMPS: &[Row] = &[
    Row("insns", "The bytecode", "", false),
    Row("parsetree", "The syntax tree", "", false),
    Row("syntax, version, copyright, usage, help", "Like the switches with these names", "", false),
];

const FEATURES: &[Row] = &[
    Row("gems", "Rubygems (enabled)", "", false),
    Row("error_highlight", "The failing part of the line in messages (enabled)", "", false),
    Row("did_you_mean", "Suggestions in messages (enabled)", "", false),
    Row("syntax_suggest", "Hints on syntax errors (enabled)", "", false),
    Row("rubyopt", "Switches in the variable RUBYOPT (enabled)", "", false),
    Row("frozen-string-literal", "Freeze all string literals (disabled)", "", false),
];

const CATEGORIES: &[Row] = &[
    Row("deprecated", "Features that will be removed", "", false),
    Row("experimental", "Features that may change", "", false),
    Row("performance", "Slow code", "", false),
    Row("strict_unused_block", "Blocks passed to methods that do not use them", "", false),
];

/// The text of `-h`, or that of `--help`.
pub fn help(program: &str, long: bool) -> String {
    let mut text = format!("Usage: {program} [options] [--] [filepath] [arguments]\n");
    for row in SWITCHES {
        if long || row.3 {
            line(row, long, &mut text);
        }
    }
    if long {
        for (title, rows) in
            [("Debugging", DEBUGGING), ("Dump list", DUMPS), ("Features", FEATURES), ("Warning categories", CATEGORIES)]
        {
            text.push_str(&format!("{title}:\n"));
            rows.iter().for_each(|row| line(row, true, &mut text));
        }
    }
    text
}

fn line(Row(switch, meaning, more, _): &Row, long: bool, text: &mut String) {
    const WIDTH: usize = 24;
    if switch.len() < WIDTH {
        text.push_str(&format!("  {switch:<WIDTH$}{meaning}"));
    } else {
        text.push_str(&format!("  {switch}\n  {:WIDTH$}{meaning}", ""));
    }
    if long && !more.is_empty() {
        text.push_str(&format!(";\n  {:WIDTH$}{more}", ""));
    }
    text.push_str(if long { ".\n" } else { "\n" });
}
