//! Programs in `tests/library/` use the standard library, print the contents of the `.out` file next to them (recorded
//! from CRuby 3.4.11 or 4.1dev), and end with the right status. `cargo xtask stdlib` fetches the library; the tests do
//! nothing without it.

use std::path::Path;
use std::process::Command;

/// Runs a program; times are masked. A test file runs its tests in an order that depends on the seed.
fn check(name: &str, arguments: &[&str], status: i32) {
    check_with(&[], name, arguments, status);
}

fn check_with(options: &[&str], name: &str, arguments: &[&str], status: i32) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if std::env::var_os("BENI_STDLIB").is_none() && !root.join("target/stdlib").is_dir() {
        eprintln!("no standard library: cargo xtask stdlib");
        return;
    }
    let program = format!("tests/library/{name}.rb");
    let output = Command::new(env!("CARGO_BIN_EXE_beni"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(options)
        .args(["-W0", &program])
        .args(arguments)
        .output()
        .unwrap();
    let printed = masked(&String::from_utf8_lossy(&output.stdout));
    let expected = std::fs::read_to_string(root.join(format!("crates/cli/tests/library/{name}.out"))).unwrap();
    assert_eq!(printed, masked(&expected), "{name}\n{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{name}");
}

/// Like [`check`], but skipped if only the standard library of Ruby 3.4 is available.
fn check_newest(name: &str, arguments: &[&str], status: i32) {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/stdlib");
    let is_older = library.join("ruby/logger.rb").is_file();
    if std::env::var_os("BENI_STDLIB").is_none() && is_older {
        eprintln!("the standard library is not Ruby 4.0's: cargo xtask stdlib");
        return;
    }
    check(name, arguments, status);
}

/// The text without the lines that contain durations.
fn masked(text: &str) -> String {
    let is_time = |line: &&str| line.starts_with("Finished in") || line.contains(" tests/s, ");
    text.lines().filter(|line| !is_time(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn texts_of_wide_encodings_are_escaped_by_the_library() {
    check_newest("wide_texts_for_the_web", &[], 0);
}

#[test]
fn minitest_runs_a_test_file() {
    check_newest("minitest", &["--seed", "1"], 1);
}

#[test]
fn test_unit_runs_a_test_file() {
    check("test_unit", &[], 1);
}

#[test]
fn yaml_is_written_and_read() {
    check("yaml", &[], 0);
}

/// Recorded from CRuby 4.1dev of July 2026, whose json is 2.18.
#[test]
fn json_may_be_nested_deeper_than_the_native_stack_allows() {
    check("json_deep", &[], 0);
}

/// CRuby 4.1dev of July 2026 searches all these patterns in linear time.
#[test]
fn patterns_of_published_reports_take_linear_time() {
    check("slow_patterns", &[], 0);
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_line() {
    check("yaml_mark", &[], 0);
}

#[test]
fn halves_of_surrogate_pairs_are_unescaped() {
    check("unescaped_texts", &[], 0);
}

#[test]
fn yaml_escapes_high_characters() {
    check("yaml_high_characters", &[], 0);
}

#[test]
fn module_functions_are_private_methods() {
    check("module_functions_of_c", &[], 0);
}

#[test]
fn tags_that_cannot_be_read_are_errors() {
    check("yaml_tags", &[], 0);
}

#[test]
fn yaml_asks_streams_for_parts() {
    check("yaml_streams", &[], 0);
}

#[test]
fn suggestions_need_no_require() {
    check("did_you_mean_complete", &[], 0);
    check("did_you_mean_by_program", &[], 0);
    check("did_you_mean_required", &[], 0);
}

#[test]
fn ractors_require_files_with_rubygems() {
    check("require_in_ractors", &[], 0);
}

#[test]
fn libraries_remember_and_forget() {
    check_newest("library_state_edges", &[], 0);
}

#[test]
fn short_texts_and_numbers_take_no_other_way() {
    check_newest("short_texts_and_numbers", &[], 0);
}

#[test]
fn decimals_are_those_of_cruby() {
    check("bigdecimal", &[], 0);
}

#[test]
fn digests_and_ciphers_of_openssl() {
    check("openssl_digests", &[], 0);
}

#[test]
fn keys_and_certificates_of_openssl() {
    check("openssl_keys", &[], 0);
}

#[test]
fn requests_for_the_state_of_certificates() {
    check("openssl_ocsp", &[], 0);
}

#[test]
fn time_stamps_of_openssl() {
    check("openssl_timestamps", &[], 0);
}

#[test]
fn connections_of_openssl() {
    check("openssl_tls", &[], 0);
}

#[test]
fn installed_gems_are_found() {
    check("gems", &[], 0);
}

#[test]
fn misspelt_constants_and_features_are_guessed() {
    check("suggestions", &[], 0);
    check_newest("syntax_nodes", &[], 0);
}

#[test]
fn lists_of_users_belong_to_the_main_ractor() {
    check("users_in_ractors", &[], 0);
}

#[test]
fn snippets_of_the_library_show_both_sides() {
    check_newest("error_highlight_sides", &[], 0);
}

#[test]
fn options_are_parsed() {
    check_newest("options", &[], 0);
}

#[test]
fn dates_are_reckoned_with() {
    check("date", &[], 0);
}

#[test]
fn dates_are_found_in_texts() {
    check("date_texts", &[], 0);
}

#[test]
fn json_is_written_and_read() {
    check("json", &[], 0);
    check_newest("json_in_ractors", &[], 0);
}

#[test]
fn digests_are_those_of_cruby() {
    check("digest", &[], 0);
}

#[test]
fn paths_are_objects() {
    check("pathname", &[], 0);
    check("pathname_edges", &[], 0);
}

#[test]
fn zlib_packs_and_unpacks() {
    check("zlib", &[], 0);
    check("zlib_gzip_edges", &[], 0);
}

#[test]
fn sockets_connect_and_carry() {
    check("socket", &[], 0);
}

#[test]
fn coverage_counts_lines_methods_and_branches() {
    check("coverage", &[], 0);
    check("coverage_compiled", &[], 0);
    check("coverage_of_conditions", &[], 0);
    check("coverage_of_shared_blocks", &[], 0);
    for mode in [
        &[][..],
        &["--jit=off"],
        &["--jit-threshold=1"],
        &["--jit-threshold=2", "--jit-full-after=5", "--jit-exit-every=7"],
    ] {
        check_with(mode, "coverage_joined", &[], 0);
    }
    check("coverage_beside_trace_points", &[], 0);
}

/// Only the built-in libraries are checked: the files of the standard library are CRuby's.
#[test]
fn libraries_load_without_warnings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if std::env::var_os("BENI_STDLIB").is_none() && !root.join("target/stdlib").is_dir() {
        return;
    }
    let code = "%w[socket coverage syslog io/console stringio strscan json date digest psych zlib bigdecimal
        objspace etc monitor pathname ripper io/wait fcntl continuation].each { |library| require library }";
    let output = Command::new(env!("CARGO_BIN_EXE_beni")).args(["-w", "-e", code]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success());
}

#[test]
fn libraries_are_those_of_ruby_4() {
    check_newest("of_ruby_4", &[], 0);
    check_newest("openssl_4", &[], 0);
}

#[test]
fn small_libraries_do_what_they_must() {
    check("small_libraries", &[], 0);
    check("stringio_arguments", &[], 0);
    check("stringio_lines", &[], 0);
}

#[test]
fn sockets_hand_over_messages_and_descriptors() {
    check("socket_messages", &[], 0);
    check("socket_lookups", &[], 0);
    check("socket_open_timeout", &[], 0);
}

#[test]
fn waiting_for_sockets_blocks_no_other_thread() {
    check("socket_threads", &[], 0);
}

#[test]
fn prism_tells_trees_and_tokens() {
    check_newest("prism", &[], 0);
    check_newest("prism_dump", &[], 0);
}

#[test]
fn ripper_tells_tokens_trees_and_events() {
    check("ripper", &[], 0);
}

#[test]
fn assertions_and_syntax_errors_are_explained() {
    check("power_assert", &[], 0);
}

#[test]
fn programs_run_on_pseudo_terminals() {
    check("pty", &[], 0);
}

#[test]
fn a_file_is_required_once_and_a_wrapper_gets_its_visibility() {
    check("wrapped_and_linked_files", &[], 0);
}

/// The programs of the folder that no other test names.
#[test]
fn all_other_programs_print_what_they_must() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rb"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_string())
        .filter(|name| !include_str!("library.rs").contains(&format!("\"{name}\"")))
        .collect();
    names.sort();
    for name in names {
        check_newest(&name, &[], 0);
    }
}
