//! The options of a conversion.

use super::codec::{Codec, Newline};
use crate::encoding::EncodingId;
use memory::Grow;

/// A transformation of the text during a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Decorator {
    UniversalNewline,
    CrLfNewline,
    CrNewline,
    LfNewline,
    XmlText,
    XmlAttributeContent,
    XmlAttributeQuote,
    /// Escapes `&`; only Encoding::Converter uses it.
    Ampersand,
}

impl Decorator {
    /// Every decorator.
    pub const ALL: [Decorator; 8] = [
        Decorator::XmlText,
        Decorator::XmlAttributeContent,
        Decorator::XmlAttributeQuote,
        Decorator::Ampersand,
        Decorator::CrLfNewline,
        Decorator::CrNewline,
        Decorator::LfNewline,
        Decorator::UniversalNewline,
    ];

    /// Its name in a conversion path.
    pub fn name(self) -> &'static str {
        match self {
            Decorator::UniversalNewline => "universal_newline",
            Decorator::CrLfNewline => "crlf_newline",
            Decorator::CrNewline => "cr_newline",
            Decorator::LfNewline => "lf_newline",
            Decorator::XmlText => "xml_text_escape",
            Decorator::XmlAttributeContent => "xml_attr_content_escape",
            Decorator::XmlAttributeQuote => "xml_attr_quote",
            Decorator::Ampersand => "amp_escape",
        }
    }

    /// The decorator with that name, ignoring case.
    pub fn from_name(name: &[u8]) -> Option<Decorator> {
        Decorator::ALL.into_iter().find(|known| name.eq_ignore_ascii_case(known.name().as_bytes()))
    }

    pub(super) fn codec(self) -> Codec {
        match self {
            Decorator::UniversalNewline | Decorator::LfNewline => Codec::UniversalNewline(false),
            Decorator::CrLfNewline => Codec::Newline(Newline::CrLf),
            Decorator::CrNewline => Codec::Newline(Newline::Cr),
            Decorator::XmlText => Codec::XmlText,
            Decorator::XmlAttributeContent => Codec::XmlAttribute,
            Decorator::XmlAttributeQuote => Codec::XmlQuote(false),
            Decorator::Ampersand => Codec::Ampersand,
        }
    }
}

/// How to handle characters that the destination lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undefined {
    /// Stop.
    #[default]
    Raise,
    /// Write the replacement.
    Replace,
    /// Write `&#xNNNN;`.
    HexReference,
}

/// The options of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `invalid: :replace`.
    pub replace_invalid: bool,
    /// `undef: :replace`, or as `xml:` requires.
    pub undefined: Undefined,
    /// `replace:`, with its encoding.
    pub replacement: Option<(Vec<u8>, EncodingId)>,
    /// The transformations of the text, in this order.
    pub decorators: Vec<Decorator>,
}

impl Options {
    /// Adds what `xml: :text` requires.
    pub fn xml_text(&mut self) {
        self.undefined = Undefined::HexReference;
        self.add(Decorator::XmlText);
    }

    /// Adds what `xml: :attr` requires.
    pub fn xml_attribute(&mut self) {
        self.undefined = Undefined::HexReference;
        self.add(Decorator::XmlAttributeContent);
        self.add(Decorator::XmlAttributeQuote);
    }

    /// Adds a decorator at its position in the order of `Decorator::ALL`.
    pub fn add(&mut self, decorator: Decorator) {
        if !self.decorators.contains(&decorator) {
            self.decorators.append_one(decorator);
            let place = |d: &Decorator| Decorator::ALL.iter().position(|known| known == d);
            self.decorators.sort_by_key(place);
        }
    }

    /// Whether two decorators exclude each other: two kinds of newlines or of XML.
    pub(super) fn contradict(&self) -> bool {
        let count = |kinds: &[Decorator]| self.decorators.iter().filter(|decorator| kinds.contains(decorator)).count();
        use Decorator::*;
        count(&[UniversalNewline, CrLfNewline, CrNewline, LfNewline]) > 1 || count(&[XmlText, XmlAttributeContent]) > 1
    }
}
