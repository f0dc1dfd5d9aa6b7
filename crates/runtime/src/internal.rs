//! The Ruby half of core classes: methods written in Ruby, mainly those that yield. Programs see them as native
//! methods.

use std::sync::Arc;

use abi::Value;

use crate::{Cx, R, code, eval};

/// The image of a Ruby half that the build script of the calling crate compiled: `ruby_half!("array/array")` for
/// `src/array/array.rb`.
#[macro_export]
macro_rules! ruby_half {
    ($path:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $path, ".image"))
    };
}

/// Loads a Ruby half that consists of several files.
pub fn load_all(cx: &mut Cx, images: &[&'static [u8]]) -> R<()> {
    images.iter().try_for_each(|image| load(cx, image))
}

/// Links and runs a Ruby half. It fails only for libraries whose constants the program has already defined differently.
///
/// # Panics
/// If the image is from another build, or a core class's code raises an error: both are bugs in Beni.
pub fn load(cx: &mut Cx, image: &'static [u8]) -> R<()> {
    let sequence = bytecode::image::decode_deferred(image).expect("an image of this build");
    let path = sequence.unit.as_ref().map_or_else(String::new, |unit| unit.path.clone());
    let source = Arc::new(code::Source {
        id: code::registry::next_source_id(),
        path,
        absolute_path: None,
        real_path: Default::default(),
        is_loaded: false,
        text: code::source_text::SourceText::Kept(Vec::new()),
        first_line: 1,
        lines_kept: false,
        encoding: 1,
        image: image.into(),
        counters: None,
    });
    let body = crate::link::link_child(cx, &sequence, &source, Value::NIL, true);
    if let Err(unwind) = eval::run_file(cx, body, None) {
        if cx.vm().redefined.armed {
            return Err(unwind);
        }
        let exception = cx.take_exception(unwind)?;
        let class = crate::error::class_name_of(cx, exception);
        let message = object::shape::ivars::get(cx, exception, crate::sym::MEMO_MESSAGE);
        let message = object::string::Str::from_value(message).map_or(String::new(), |m| m.to_text());
        panic!("{} fails: {class}: {message}", source.path);
    }
    Ok(())
}
