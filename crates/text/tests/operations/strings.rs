//! Operations on strings: scanning and inspecting.

use text::encoding::{self, EncodingId};
use text::inspect;
use text::scan::{self, Separator};

use super::{int, shown};

pub fn run(operation: &str, arguments: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    let encoding = arguments.first().and_then(|name| encoding::find(name));
    let encoding = encoding.unwrap_or(EncodingId::BINARY);
    let bytes = arguments.get(1).map(Vec::as_slice).unwrap_or_default();
    let argument = |at: usize| arguments[at].as_slice();
    let range = scan::code_range(encoding, bytes);
    let mut out = Vec::new();
    Some(match operation {
        "code_range" => vec![shown(range as u8)],
        "length" => {
            let unknown = scan::CodeRange::Unknown;
            assert_eq!(scan::char_count(encoding, bytes, range), scan::char_count(encoding, bytes, unknown));
            vec![shown(scan::char_count(encoding, bytes, range))]
        }
        "chars" => scan::chars(encoding, bytes).map(<[u8]>::to_vec).collect(),
        "graphemes" => {
            scan::graphemes(encoding, bytes, |cluster| {
                out.push(cluster.to_vec());
                true
            });
            out.clone()
        }
        "substring" => {
            let found = scan::substring(encoding, bytes, range, int(argument(2)) as usize, int(argument(3)) as usize);
            vec![found.map_or(b"nil".to_vec(), |found| bytes[found].to_vec())]
        }
        "reverse" => vec![scan::reverse(encoding, bytes, range)],
        "scrub" => vec![scan::scrub(encoding, bytes, scan::default_replacement(encoding)).unwrap_or(bytes.to_vec())],
        "index" | "rindex" => {
            let search = if operation == "index" { scan::find } else { scan::rfind };
            let from = if operation == "index" { 0 } else { bytes.len() };
            let found = search(encoding, bytes, argument(2), from);
            vec![found.map_or(b"nil".to_vec(), |at| shown(scan::char_index(encoding, bytes, range, at)))]
        }
        "lines" | "lines_chomp" => {
            let separator = Separator::new(encoding, argument(2));
            scan::lines(encoding, bytes, separator, operation == "lines_chomp").map(<[u8]>::to_vec).collect()
        }
        "chomp" => {
            vec![scan::chomp(encoding, bytes, Separator::new(encoding, argument(2))).to_vec()]
        }
        "chop" => vec![scan::chop(encoding, bytes).to_vec()],
        "ljust" | "rjust" | "center" => {
            let side = match operation {
                "ljust" => scan::Justify::Left,
                "rjust" => scan::Justify::Right,
                _ => scan::Justify::Center,
            };
            let padding = (argument(3), scan::code_range(encoding, argument(3)));
            vec![scan::justify(encoding, (bytes, range), padding, int(argument(2)) as usize, side).unwrap()]
        }
        "inspect" => vec![collect(|out| inspect::inspect(encoding, bytes, EncodingId::UTF_8, out))],
        "inspect_symbol" => {
            vec![collect(|out| inspect::inspect_symbol(encoding, bytes, EncodingId::UTF_8, out))]
        }
        "hash_key" => {
            vec![collect(|out| inspect::hash_key(encoding, bytes, EncodingId::UTF_8, out))]
        }
        "dump" => vec![collect(|out| inspect::dump(encoding, bytes, out))],
        "undump" => match inspect::undump(encoding, bytes) {
            Ok(undumped) => vec![undumped.bytes, undumped.encoding.name().into()],
            Err(error) => vec![error.message().into()],
        },
        "regexp_escape" => vec![collect(|out| inspect::regexp_escape(encoding, bytes, out))],
        "regexp_inspect" => {
            vec![collect(|out| inspect::regexp_source(encoding, bytes, Some(EncodingId::UTF_8), b'/', out))]
        }
        "chr" => {
            let code = int(argument(1)) as u32;
            let mut out = Vec::new();
            match encoding::encode_codepoint(encoding, code, &mut out) {
                Ok(()) => vec![out],
                Err(encoding::CodepointError::Invalid) => {
                    vec![format!("invalid codepoint 0x{code:X} in {}", encoding.name()).into_bytes()]
                }
                Err(encoding::CodepointError::OutOfRange) => {
                    vec![format!("{code} out of char range").into_bytes()]
                }
            }
        }
        "ord" => match encoding::codepoint(encoding, bytes) {
            Some((code, _)) => vec![shown(code)],
            None => vec![b"invalid".to_vec()],
        },
        _ => return None,
    })
}

fn collect(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out);
    out
}
