//! Operations on paths.

use text::encoding::EncodingId;
use text::path::{self, Environment, MatchFlags};

use super::{int, shown};

struct Home;

impl Environment for Home {
    type Error = ();

    fn current_directory(&mut self) -> Result<Vec<u8>, ()> {
        Ok(b"/tmp".to_vec())
    }

    fn home(&mut self, user: Option<&[u8]>) -> Result<Vec<u8>, ()> {
        match user {
            None => Ok(b"/home/beni".to_vec()),
            Some(b"root") => Ok(b"/root".to_vec()),
            Some(_) => Err(()),
        }
    }
}

pub fn run(operation: &str, arguments: &[Vec<u8>]) -> Option<Vec<Vec<u8>>> {
    let path = arguments.first()?.as_slice();
    let second = arguments.get(1).map(Vec::as_slice);
    Some(vec![match operation {
        "basename" => path::basename(path, second).to_vec(),
        "dirname" => path::dirname(path, second.map_or(1, |level| int(level) as usize)).to_vec(),
        "extname" => path::extname(path).to_vec(),
        "join" => {
            let mut out = path.to_vec();
            arguments[1..].iter().for_each(|part| path::join(&mut out, part));
            out
        }
        "expand_path" | "absolute_path" => {
            let tilde = operation == "expand_path";
            path::expand_path(path, second, tilde, &mut Home).unwrap_or(b"error".to_vec())
        }
        "fnmatch" => {
            let flags = MatchFlags::from_bits(int(&arguments[2]));
            shown(path::fnmatch(EncodingId::UTF_8, path, &arguments[1], flags))
        }
        _ => return None,
    }])
}
