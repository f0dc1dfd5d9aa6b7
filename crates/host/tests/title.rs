//! The name that `ps` shows. The only test of its process, because the title overwrites the arguments.

use host::{environment, process};

#[test]
fn titles_replace_arguments_and_leave_the_environment() {
    environment::set(b"BENI_TITLE_TEST", b"kept").unwrap();
    let shown = || std::fs::read("/proc/self/cmdline").unwrap();
    process::set_title(b"short").unwrap();
    assert_eq!(shown().split(|byte| *byte == 0).next().unwrap(), b"short");
    // Longer than the arguments, and shorter than the arguments and the environment.
    let long = [b'x'; 300];
    process::set_title(&long).unwrap();
    assert!(shown().starts_with(&long[..200]));
    assert_eq!(environment::get(b"BENI_TITLE_TEST").unwrap(), b"kept");
    assert!(environment::get(b"PATH").is_some());
    process::set_title(&vec![b'y'; 1 << 20]).unwrap();
    process::set_title(b"").unwrap();
}
