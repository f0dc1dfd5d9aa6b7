//! Sources compiled inside of a binding's scopes.

use bytecode::disassemble::disassemble;
use bytecode::{Kind, Parameters, Sequence};
use compiler::{EvalScope, Options, SourceKind, SyntaxErrors, compile};

/// A block in a method `def m(a, *, **kw, &blk)`, with a variable of its own.
fn scopes() -> Vec<EvalScope> {
    let method =
        Parameters { required: 1, rest: Some(2), keyword_rest: Some(3), block: Some(4), ..Parameters::default() };
    let names = |list: &[(&str, u16)]| list.iter().map(|(n, r)| (n.as_bytes().to_vec(), *r)).collect();
    vec![
        EvalScope { kind: Kind::Block, locals: names(&[("x", 1), ("y", 2)]), parameters: Parameters::default() },
        EvalScope {
            kind: Kind::Method,
            locals: names(&[("a", 1), ("kw", 3), ("blk", 4), ("z", 5)]),
            parameters: method,
        },
    ]
}

fn eval(source: &str, scopes: Vec<EvalScope>) -> Result<Sequence, SyntaxErrors> {
    let kind = SourceKind::Eval { scopes, name: "m".into(), block_depth: 1 };
    compile(source.as_bytes(), &Options::new("(eval)", kind))
}

#[track_caller]
fn check(source: &str, expected: &[&str]) {
    let sequence = eval(source, scopes()).unwrap_or_else(|e| panic!("{}", String::from_utf8_lossy(&e.message)));
    let text = disassemble(&sequence);
    for part in expected {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

#[track_caller]
fn refuse(source: &str, scopes: Vec<EvalScope>, message: &str) {
    match eval(source, scopes) {
        Ok(sequence) => panic!("accepted:\n{}", disassemble(&sequence)),
        Err(errors) => assert_eq!(String::from_utf8_lossy(&errors.message), message),
    }
}

#[test]
fn variables_of_all_levels_are_found() {
    check("x", &["GetOuter", "depth 1 slot 1"]);
    check("z = y", &["depth 1 slot 2", "SetOuter", "depth 2 slot 5"]);
    check("own = a; own", &["locals: own=R1", "depth 2 slot 1"]);
    check("[1].each { |i| z = i }", &["SetOuter               R1 depth 3 slot 5"]);
}

#[test]
fn parameters_of_the_method_are_found() {
    check("blk", &["GetBlockParameter      R1 depth 2 slot 4"]);
    check("f(&blk)", &["GetBlockParameterProxy R2 depth 2 slot 4"]);
    check("f(*)", &["depth 2 slot 2", "splat"]);
    check("super", &["depth 2 slot 1", "depth 2 slot 2", "depth 2 slot 3", "Super", "implicit"]);
    check("yield 1", &["Yield", "depth 2"]);
    check("return 5", &["ReturnOuter"]);
}

#[test]
fn jumps_do_not_leave_the_eval() {
    refuse("break", scopes(), "(eval):1: syntax error found\n> 1 | break\n    | ^~~~~ Invalid break\n");
    refuse("1\nnext", scopes(), "(eval):2: syntax error found\n  1 | 1\n> 2 | next\n    | ^~~~ Invalid next\n");
    refuse("redo", scopes(), "(eval):1: syntax error found\n> 1 | redo\n    | ^~~~ Invalid redo\n");
    for ensure in ["retry if a", "[a].each { retry }"] {
        let code = format!("begin; a; rescue\nbegin; a; ensure\n{ensure}; end; end");
        refuse(&code, scopes(), "(eval):3: Invalid retry");
    }
    let class = vec![EvalScope { kind: Kind::Class, locals: Vec::new(), parameters: Parameters::default() }];
    refuse("yield", class, "(eval):1: Invalid yield");
}
