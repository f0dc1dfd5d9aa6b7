//! The text of a source, which few programs need.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher};

/// The text from which code was compiled.
pub enum SourceText {
    Kept(Vec<u8>),
    /// The text of a file, read again on demand; empty if the file has changed since.
    OnDisk {
        path: String,
        length: u64,
        sum: u64,
    },
}

impl SourceText {
    /// The text of a file that was just read.
    pub fn on_disk(path: String, text: &[u8]) -> SourceText {
        SourceText::OnDisk { path, length: text.len() as u64, sum: sum(text) }
    }

    /// The bytes; empty if they are not known any more.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            SourceText::Kept(bytes) => Cow::Borrowed(bytes),
            SourceText::OnDisk { path, length, sum: expected } => {
                let read = std::fs::read(path).unwrap_or_default();
                let is_same = read.len() as u64 == *length && sum(&read) == *expected;
                Cow::Owned(if is_same { read } else { Vec::new() })
            }
        }
    }
}

fn sum(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_has_no_text() {
        let path = std::env::temp_dir().join(format!("beni-source-{}", std::process::id()));
        std::fs::write(&path, "p 1\n").unwrap();
        let text = SourceText::on_disk(path.display().to_string(), b"p 1\n");
        assert_eq!(&*text.bytes(), b"p 1\n");
        std::fs::write(&path, "p 2\n").unwrap();
        assert!(text.bytes().is_empty());
        std::fs::remove_file(&path).unwrap();
        assert!(text.bytes().is_empty());
    }
}
