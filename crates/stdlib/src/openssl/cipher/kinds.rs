//! The ciphers by their names.

use aes::{Aes128, Aes192, Aes256};
use des::{TdesEde2, TdesEde3};

use super::{
    aead::{self, chacha20_poly1305, gcm},
    engine::{self, cbc, cfb, cfb8, ctr, ecb, ofb},
};

/// The mode of operation of a cipher.
pub enum Kind {
    /// A mode for blocks of this many bytes, the last of which is padded.
    Blocks(usize, engine::Start),
    Stream(engine::Start),
    Aead(aead::Start),
}

/// A cipher that OpenSSL knows.
pub struct Cipher {
    pub name: &'static str,
    /// Further names, in lower case.
    pub aliases: &'static [&'static str],
    pub key: usize,
    pub iv: usize,
    pub kind: Kind,
}

use Kind::{Aead, Blocks, Stream};

const fn cipher(name: &'static str, key: usize, iv: usize, kind: Kind) -> Cipher {
    Cipher { name, aliases: &[], key, iv, kind }
}

impl Cipher {
    const fn called(mut self, aliases: &'static [&'static str]) -> Cipher {
        self.aliases = aliases;
        self
    }

    pub fn block_size(&self) -> usize {
        match self.kind {
            Blocks(size, _) => size,
            _ => 1,
        }
    }

    pub fn is_aead(&self) -> bool {
        matches!(self.kind, Aead(_))
    }
}

pub const CIPHERS: &[Cipher] = &[
    cipher("AES-128-CBC", 16, 16, Blocks(16, cbc::<Aes128>)).called(&["aes128"]),
    cipher("AES-128-CFB", 16, 16, Stream(cfb::<Aes128>)),
    cipher("AES-128-CFB8", 16, 16, Stream(cfb8::<Aes128>)),
    cipher("AES-128-CTR", 16, 16, Stream(ctr::<Aes128>)),
    cipher("AES-128-ECB", 16, 0, Blocks(16, ecb::<Aes128>)),
    cipher("AES-128-GCM", 16, 12, Aead(gcm::<Aes128>)).called(&["id-aes128-gcm"]),
    cipher("AES-128-OFB", 16, 16, Stream(ofb::<Aes128>)),
    cipher("AES-192-CBC", 24, 16, Blocks(16, cbc::<Aes192>)).called(&["aes192"]),
    cipher("AES-192-CFB", 24, 16, Stream(cfb::<Aes192>)),
    cipher("AES-192-CFB8", 24, 16, Stream(cfb8::<Aes192>)),
    cipher("AES-192-CTR", 24, 16, Stream(ctr::<Aes192>)),
    cipher("AES-192-ECB", 24, 0, Blocks(16, ecb::<Aes192>)),
    cipher("AES-192-GCM", 24, 12, Aead(gcm::<Aes192>)).called(&["id-aes192-gcm"]),
    cipher("AES-192-OFB", 24, 16, Stream(ofb::<Aes192>)),
    cipher("AES-256-CBC", 32, 16, Blocks(16, cbc::<Aes256>)).called(&["aes256"]),
    cipher("AES-256-CFB", 32, 16, Stream(cfb::<Aes256>)),
    cipher("AES-256-CFB8", 32, 16, Stream(cfb8::<Aes256>)),
    cipher("AES-256-CTR", 32, 16, Stream(ctr::<Aes256>)),
    cipher("AES-256-ECB", 32, 0, Blocks(16, ecb::<Aes256>)),
    cipher("AES-256-GCM", 32, 12, Aead(gcm::<Aes256>)).called(&["id-aes256-gcm"]),
    cipher("AES-256-OFB", 32, 16, Stream(ofb::<Aes256>)),
    cipher("ChaCha20", 32, 16, Stream(engine::chacha20)),
    cipher("ChaCha20-Poly1305", 32, 12, Aead(chacha20_poly1305)),
    cipher("DES-CBC", 8, 8, Blocks(8, cbc::<des::Des>)).called(&["des"]),
    cipher("DES-ECB", 8, 0, Blocks(8, ecb::<des::Des>)),
    cipher("DES-EDE-CBC", 16, 8, Blocks(8, cbc::<TdesEde2>)),
    cipher("DES-EDE-ECB", 16, 0, Blocks(8, ecb::<TdesEde2>)).called(&["des-ede"]),
    cipher("DES-EDE3-CBC", 24, 8, Blocks(8, cbc::<TdesEde3>)).called(&["des3"]),
    cipher("DES-EDE3-CFB", 24, 8, Stream(cfb::<TdesEde3>)),
    cipher("DES-EDE3-CFB8", 24, 8, Stream(cfb8::<TdesEde3>)),
    cipher("DES-EDE3-ECB", 24, 0, Blocks(8, ecb::<TdesEde3>)).called(&["des-ede3"]),
    cipher("DES-EDE3-OFB", 24, 8, Stream(ofb::<TdesEde3>)),
];

/// Finds a cipher by name, ignoring case.
pub fn find(name: &str) -> Option<&'static Cipher> {
    let small = name.to_ascii_lowercase();
    CIPHERS.iter().find(|cipher| cipher.name.eq_ignore_ascii_case(name) || cipher.aliases.contains(&small.as_str()))
}
