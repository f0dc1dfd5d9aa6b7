//! `cargo xtask`: the one entry point, for people and for CI.

#![forbid(unsafe_code)]

mod bench;
mod bench_core;
mod build;
mod cruby_tests;
mod default_gems;
mod emulated;
mod families;
mod fetch;
mod formats;
mod gems;
mod growth;
mod install;
mod limited;
mod nightly;
mod profile;
mod programs;
mod progress;
mod release_profile;
mod run;
mod scenarios;
mod source;
mod spec;
mod startup_order;
mod stdlib;
mod test;
mod tidy;
mod torture;
mod wasi_vfs;
mod workspace;

use std::process::ExitCode;

/// The result of a subcommand: `Ok(false)` if something it checked failed (and was printed), an error if it could not
/// do its work.
type Outcome = Result<bool, String>;

struct Subcommand {
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Outcome,
}

const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand {
        name: "run",
        usage: "FILE [ARGS]",
        about: "build Beni for release and run a Ruby program",
        run: run::main,
    },
    Subcommand {
        name: "build",
        usage: "[--profile NAME] [--target TRIPLE]",
        about: "build the binary `beni` (default: release)",
        run: build::main,
    },
    Subcommand { name: "test", usage: "[--profile NAME]", about: "everything that must pass", run: test::main },
    Subcommand {
        name: "spec",
        usage: "[FOLDER|FILE …] [OPTIONS]",
        about: "ruby/spec under mspec, both run by Beni",
        run: spec::main,
    },
    Subcommand {
        name: "cruby-tests",
        usage: "[FILE …] [--update] [--source DIR]",
        about: "CRuby's own tests, run by Beni, compared with the list of known failures",
        run: cruby_tests::main,
    },
    Subcommand {
        name: "bench",
        usage: "[NAME …] [--against INTERPRETER]",
        about: "measure speed and memory beside another interpreter",
        run: bench::main,
    },
    Subcommand {
        name: "install",
        usage: "--prefix DIR [--with ruby,irb,…]",
        about: "put `beni` and its library below a folder",
        run: install::install,
    },
    Subcommand {
        name: "dist",
        usage: "",
        about: "pack `beni` and its library into a tarball in target/dist",
        run: install::dist,
    },
    Subcommand { name: "stdlib", usage: "", about: "fetch the standard library's Ruby files", run: stdlib::main },
    Subcommand {
        name: "programs",
        usage: "[OPTIONS]",
        about: "fetch three real programs and compare what they print with CRuby",
        run: programs::main,
    },
    Subcommand {
        name: "gems",
        usage: "[--interpreter RUBY [--record]]",
        about: "compile extensions in C of gems from their sources, and try them",
        run: gems::main,
    },
    Subcommand {
        name: "formats",
        usage: "",
        about: "have profiles read back by pprof, the Firefox Profiler and speedscope (needs go, npm, chromium)",
        run: formats::main,
    },
    Subcommand {
        name: "profile",
        usage: "[--count] FILE [ARGS]",
        about: "where a program's time goes, by function and instruction (needs perf, or valgrind to count)",
        run: profile::main,
    },
    Subcommand {
        name: "growth",
        usage: "[--profile NAME] [PATTERN]",
        about: "what operations cost at growing sizes, in instructions (needs valgrind)",
        run: growth::main,
    },
    Subcommand {
        name: "name-instructions",
        usage: "BINARY",
        about: "symbols for the instructions of the dispatch loop (part of a build)",
        run: families::main,
    },
    Subcommand {
        name: "release-profile",
        usage: "",
        about: "record the profile that release builds are optimised for (needs rustup's llvm-tools)",
        run: release_profile::main,
    },
    Subcommand {
        name: "startup-order",
        usage: "[--names]",
        about: "list the functions that start-up runs, for the linker (needs valgrind)",
        run: startup_order::main,
    },
    Subcommand {
        name: "nightly",
        usage: "[--profile NAME]",
        about: "all of ruby/spec under each check, and many random programs; recorded in docs/testing.md",
        run: nightly::main,
    },
    Subcommand {
        name: "emulated",
        usage: "[--profile NAME] [PROGRAM …]",
        about: "tests of the compiler and test programs for aarch64 (needs qemu-user and a cross compiler)",
        run: emulated::main,
    },
    Subcommand {
        name: "torture",
        usage: "[FOLDER …] [--switch N] [--signal N] [--refuse N] [--collect 1]",
        about: "ruby/spec with a switch or a signal at each n-th safepoint, or the n-th large allocation refused",
        run: torture::main,
    },
    Subcommand {
        name: "tidy",
        usage: "",
        about: "format, lints, sizes, layers, unsafe code, places where values may live",
        run: tidy::main,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        print_usage();
        return ExitCode::from(2);
    };
    let Some(subcommand) = SUBCOMMANDS.iter().find(|subcommand| subcommand.name == name) else {
        print_usage();
        let asked_for_help = matches!(name.as_str(), "help" | "-h" | "--help");
        return if asked_for_help { ExitCode::SUCCESS } else { ExitCode::from(2) };
    };
    match (subcommand.run)(rest) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("xtask {name}: {message}");
            ExitCode::FAILURE
        }
    }
}

fn print_usage() {
    println!("usage: cargo xtask SUBCOMMAND");
    for subcommand in SUBCOMMANDS {
        println!("  {:17} {:28} {}", subcommand.name, subcommand.usage, subcommand.about);
    }
}
