//! The names of objects for OpenSSL::ASN1, which is in Ruby.

use runtime::{Args, Cx, Method, R, Value, make};

pub const METHODS: &[Method] = &[Method::new("__object(name)", object).private()];

/// One line per object: its OID, its short name and, if different, its long name, separated by tabs. The list
/// corresponds to `openssl list -objects`.
const OBJECTS: &str = include_str!("objects.txt");

/// `__object(name) → [oid, short name, long name] or nil`: an object identifier by its number or either name; nil for
/// an unknown one.
fn object(cx: &mut Cx, args: Args) -> R {
    let name = args.str(cx, 0)?;
    let Some((oid, short, long)) = std::str::from_utf8(name.bytes(cx)).ok().and_then(find) else {
        return Ok(Value::NIL);
    };
    let row = [make::interned(cx, oid), make::interned(cx, short), make::interned(cx, long)];
    Ok(make::array(cx, &row))
}

fn find(name: &str) -> Option<(&'static str, &'static str, &'static str)> {
    // Names contain neither tabs nor line ends.
    let at = OBJECTS.match_indices(name).map(|(at, _)| at).find(|&at| {
        let before = OBJECTS[..at].chars().next_back().is_none_or(|c| c == '\n' || c == '\t');
        before && OBJECTS[at + name.len()..].starts_with(['\n', '\t'])
    })?;
    let from = OBJECTS[..at].rfind('\n').map_or(0, |end| end + 1);
    let mut cells = OBJECTS[from..].lines().next()?.split('\t');
    let (oid, short) = (cells.next()?, cells.next()?);
    Some((oid, short, cells.next().unwrap_or(short)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_whole_names_only() {
        let sha256 = Some(("2.16.840.1.101.3.4.2.1", "SHA256", "sha256"));
        assert_eq!(find("sha256"), sha256);
        assert_eq!(find("SHA256"), sha256);
        assert_eq!(find("2.16.840.1.101.3.4.2.1"), sha256);
        assert_eq!(find("2.5.4.3"), Some(("2.5.4.3", "CN", "commonName")));
        assert_eq!(find("sha25"), None);
        assert_eq!(find(""), None);
    }
}
