//! `cargo run -p beni-compiler --example dump -- FILE|-e CODE [--ast]`: the bytecode (or tree) of a source.

use compiler::{Options, SourceKind};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, source) = match arguments.as_slice() {
        [flag, code, ..] if flag == "-e" => ("-e".to_string(), format!("{code}\n").into_bytes()),
        [path, ..] => (path.clone(), std::fs::read(path).expect("a readable file")),
        [] => panic!("a file, or -e CODE"),
    };
    let options = Options::new(path, SourceKind::Main);
    if arguments.iter().any(|a| a == "--ast") {
        return print!("{}", compiler::dump_ast(&source, &options));
    }
    match compiler::compile(&source, &options) {
        Ok(sequence) => print!("{}", bytecode::disassemble::disassemble(&sequence)),
        Err(errors) => println!("{:?}\n{}", errors.kind, String::from_utf8_lossy(&errors.message)),
    }
}
