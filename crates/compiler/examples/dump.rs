//! `cargo run -p beni-compiler --example dump -- FILE|-e CODE [--ast|--events]`: the bytecode (or tree, or lines with
//! events) of a source.

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
    if arguments.iter().any(|a| a == "--events") {
        return events(&compiler::compile(&source, &options).expect("a program"));
    }
    match compiler::compile(&source, &options) {
        Ok(sequence) => print!("{}", bytecode::disassemble::disassemble(&sequence)),
        Err(errors) => println!("{:?}\n{}", errors.kind, String::from_utf8_lossy(&errors.message)),
    }
}

fn events(sequence: &bytecode::Sequence) {
    use bytecode::Events as E;
    for (word, events) in &sequence.events {
        let position = sequence.positions.iter().rev().find(|p| p.word <= *word).expect("a position");
        let names = [
            (E::LINE, "line"),
            (E::CLASS, "class"),
            (E::END, "end"),
            (E::CALL, "call"),
            (E::RETURN, "return"),
            (E::B_CALL, "b_call"),
            (E::B_RETURN, "b_return"),
        ];
        for (bit, name) in names.iter().filter(|(bit, _)| events.0 & bit != 0) {
            let starts = bit & (E::CLASS | E::CALL | E::B_CALL) != 0;
            let ends = bit & (E::END | E::RETURN | E::B_RETURN) != 0 && events.0 & E::AT_END != 0;
            let line = if starts {
                sequence.first_line
            } else if ends {
                sequence.last_line
            } else {
                position.line
            };
            println!("{line} {name}");
        }
    }
    sequence.children.iter().for_each(events);
}
