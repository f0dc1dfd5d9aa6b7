//! The Ruby half of core classes: methods that yield, written in Ruby where that is not slower. From outside they count as native.

use std::sync::Arc;

use abi::Value;

use crate::{Cx, R, code, eval};

/// Compiles and runs the Ruby half `source` of the class that `name` tells ("array").
pub fn load(cx: &mut Cx, name: &str, source: &str) -> R<()> {
    let path = format!("<internal:{name}>");
    let options = compiler::Options::new(path.clone(), compiler::SourceKind::Required);
    let sequence = match compiler::compile(source.as_bytes(), &options) {
        Ok(sequence) => sequence,
        Err(errors) => panic!("the Ruby half of {name} does not compile: {}", String::from_utf8_lossy(&errors.message)),
    };
    let source = Arc::new(code::Source { path, absolute_path: None, text: Vec::new(), encoding: 1 });
    let body = code::link_child(cx, &sequence, &source, Value::NIL, true);
    if let Err(unwind) = eval::run_file(cx, body, None) {
        let exception = cx.take_exception(unwind)?;
        let class = crate::error::class_name_of(cx, exception);
        let message = object::shape::ivars::get(cx, exception, crate::sym::MEMO_MESSAGE);
        let message = object::string::Str::from_value(message)
            .map_or(String::new(), |m| String::from_utf8_lossy(m.bytes()).into_owned());
        panic!("the Ruby half of {name} fails: {class}: {message}");
    }
    Ok(())
}
