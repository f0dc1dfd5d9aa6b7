//! Conversions between encodings.

use text::encoding;
use text::scan::code_range;
use text::transcode::{
    self, Converter, Decorator, EncodeError, Fallback, Limits, Options, Outcome, PathElement, Undefined,
};

use super::int;

pub fn run(operation: &str, arguments: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    Some(match operation {
        "encode" => vec![encode(arguments)],
        "primitive" => primitive(arguments),
        "stream" => stream(arguments),
        "convpath" => convpath(arguments),
        _ => return None,
    })
}

fn options(text: &[u8]) -> Options {
    let mut options = Options::default();
    for option in std::str::from_utf8(text).unwrap().split(' ') {
        match option {
            "invalid" => options.replace_invalid = true,
            "undef" => options.undefined = Undefined::Replace,
            "xml_text" => options.xml_text(),
            "xml_attr" => options.xml_attribute(),
            "crlf" => options.add(Decorator::CrLfNewline),
            "cr" => options.add(Decorator::CrNewline),
            "lf" => options.add(Decorator::LfNewline),
            "universal" => options.add(Decorator::UniversalNewline),
            "replace" => options.replacement = Some(("é".into(), encoding::EncodingId::UTF_8)),
            _ => {}
        }
    }
    options
}

fn encode(arguments: &[Vec<u8>]) -> Vec<u8> {
    let find = |at: usize| encoding::find(&arguments[at]).unwrap();
    let bytes = &arguments[2];
    let range = code_range(find(0), bytes);
    let mut fallback = |_: &[u8], _| Ok::<_, ()>(Some((b"[?]".to_vec(), encoding::EncodingId::US_ASCII)));
    let wanted = arguments[3].ends_with(b"fallback");
    let fallback: Option<Fallback<'_, ()>> = if wanted { Some(&mut fallback) } else { None };
    match transcode::encode(find(0), find(1), bytes, range, &options(&arguments[3]), fallback) {
        Ok(converted) => converted.unwrap_or(bytes.clone()),
        Err(EncodeError::Conversion(_, message)) => message.into_bytes(),
        Err(EncodeError::NotFound(error)) => [b"code converter not found (", &error.description[..], b")"].concat(),
        Err(EncodeError::BadFallback) => b"too big fallback string".to_vec(),
        Err(EncodeError::Fallback(())) => b"fallback".to_vec(),
    }
}

fn primitive(arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut converter = Converter::open(&arguments[0], &arguments[1], &options(&arguments[3])).unwrap();
    let mut source = &arguments[2][..];
    let mut out = Vec::new();
    let outcome = converter.convert(&mut source, &mut out, Limits::default());
    let mut answer = vec![outcome.name().into(), source.to_vec(), out];
    if let Some(error) = converter.last_error() {
        answer.extend([error.source.into(), error.destination.into()]);
        answer.extend([error.error_bytes.clone(), error.readagain_bytes.clone()]);
        answer.push(converter.putback(None));
    }
    answer
}

/// Feeds chunks of a given size and reads at most a given number of bytes at a time; errors are dropped.
fn stream(arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut converter = Converter::open(&arguments[0], &arguments[1], &options(&arguments[3])).unwrap();
    let (chunk, limit) = (int(&arguments[4]) as usize, int(&arguments[5]) as usize);
    let mut out = Vec::new();
    let mut log = String::new();
    let mut chunks = arguments[2].chunks(chunk).peekable();
    let mut source = chunks.next().unwrap_or_default();
    loop {
        let partial_input = chunks.peek().is_some();
        let limits = Limits { bytes: Some(limit), partial_input, after_output: false };
        let outcome = converter.convert(&mut source, &mut out, limits);
        log.push(outcome.name().chars().next().unwrap());
        match outcome {
            Outcome::Finished => break,
            Outcome::SourceBufferEmpty => source = chunks.next().unwrap_or_default(),
            _ => {}
        }
        assert!(log.len() < 1000, "no end: {log}");
    }
    vec![out, log.into_bytes()]
}

fn convpath(arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let find = |at: usize| encoding::find(&arguments[at]).unwrap();
    let Some(steps) = transcode::search_path(find(0), find(1)) else {
        return vec![b"none".to_vec()];
    };
    let mut path: Vec<PathElement> = steps.into_iter().map(|(from, to)| PathElement::Convert(from, to)).collect();
    for decorator in options(&arguments[2]).decorators {
        transcode::decorate(&mut path, decorator);
    }
    path.into_iter()
        .map(|element| match element {
            PathElement::Convert(from, to) => format!("{from:?} {to:?}").into_bytes(),
            PathElement::Decorate(decorator) => decorator.name().into(),
        })
        .collect()
}
