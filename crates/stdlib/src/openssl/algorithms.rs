//! The digests by name, and algorithms built on them: HMAC, PBKDF2, HKDF.

use ::digest::{DynDigest, FixedOutput, KeyInit, Update};
use hmac::{Hmac, SimpleHmac};
use memory::ToVector;

/// A keyed digest in progress.
pub trait Mac {
    fn update(&mut self, data: &[u8]);
    /// The authentication code of the data so far; more data may follow.
    fn code(&self) -> Vec<u8>;
    fn copy(&self) -> Box<dyn Mac>;
}

impl<M: Update + FixedOutput + Clone + 'static> Mac for M {
    fn update(&mut self, data: &[u8]) {
        Update::update(self, data);
    }

    fn code(&self) -> Vec<u8> {
        self.clone().finalize_fixed().to_vector()
    }

    fn copy(&self) -> Box<dyn Mac> {
        Box::new(self.clone())
    }
}

/// Password, salt, rounds, result; false if HMAC rejects the key.
pub type FromPassword = fn(&[u8], &[u8], u32, &mut [u8]) -> bool;
/// Input key, salt, info, result; false if the output would be too long.
pub type FromKey = fn(&[u8], &[u8], &[u8], &mut [u8]) -> bool;

/// A digest that OpenSSL knows.
pub struct Algorithm {
    /// The result of `name`.
    pub name: &'static str,
    /// Further names, in lower case.
    aliases: &'static [&'static str],
    pub oid: &'static str,
    /// The block size in bytes.
    pub block: usize,
    /// The size of the result in bytes.
    pub size: usize,
    pub start: fn() -> Box<dyn DynDigest>,
    pub mac: fn(&[u8]) -> Option<Box<dyn Mac>>,
    pub pbkdf2: FromPassword,
    pub hkdf: FromKey,
}

fn mac<M: KeyInit + Mac + 'static>(key: &[u8]) -> Option<Box<dyn Mac>> {
    M::new_from_slice(key).ok().map(|mac| Box::new(mac) as Box<dyn Mac>)
}

fn pbkdf2<M: KeyInit + Update + FixedOutput + Clone>(
    password: &[u8],
    salt: &[u8],
    rounds: u32,
    out: &mut [u8],
) -> bool {
    ::pbkdf2::pbkdf2::<M>(password, salt, rounds, out).is_ok()
}

fn hkdf<M: hkdf::HmacImpl>(key: &[u8], salt: &[u8], info: &[u8], out: &mut [u8]) -> bool {
    hkdf::GenericHkdf::<M>::new(Some(salt), key).expand(info, out).is_ok()
}

macro_rules! algorithm {
    ($name:literal, $digest:ty, $mac:ident, $block:literal, $size:literal, $oid:literal, $($alias:literal),*) => {
        Algorithm {
            name: $name,
            aliases: &[$($alias),*],
            oid: $oid,
            block: $block,
            size: $size,
            start: || Box::new(<$digest>::default()),
            mac: mac::<$mac<$digest>>,
            pbkdf2: pbkdf2::<$mac<$digest>>,
            hkdf: hkdf::<$mac<$digest>>,
        }
    };
}

/// All digests, in the order of `Digest.digests`.
pub const ALGORITHMS: &[Algorithm] = &[
    algorithm!("BLAKE2b512", blake2::Blake2b512, SimpleHmac, 128, 64, "1.3.6.1.4.1.1722.12.2.1.16", "blake2b-512"),
    algorithm!("BLAKE2s256", blake2::Blake2s256, SimpleHmac, 64, 32, "1.3.6.1.4.1.1722.12.2.2.8", "blake2s-256"),
    algorithm!("MD4", md4::Md4, Hmac, 64, 16, "1.2.840.113549.2.4", "rsa-md4", "md4withrsaencryption"),
    algorithm!("MD5", md5::Md5, Hmac, 64, 16, "1.2.840.113549.2.5", "rsa-md5", "md5withrsaencryption", "ssl3-md5"),
    algorithm!(
        "RIPEMD160",
        ripemd::Ripemd160,
        Hmac,
        64,
        20,
        "1.3.36.3.2.1",
        "ripemd",
        "rmd160",
        "ripemd-160",
        "rsa-ripemd160",
        "ripemd160withrsa"
    ),
    algorithm!(
        "SHA1",
        sha1::Sha1,
        Hmac,
        64,
        20,
        "1.3.14.3.2.26",
        "sha-1",
        "rsa-sha1",
        "rsa-sha1-2",
        "sha1withrsaencryption",
        "ssl3-sha1"
    ),
    algorithm!(
        "SHA224",
        sha2::Sha224,
        Hmac,
        64,
        28,
        "2.16.840.1.101.3.4.2.4",
        "sha-224",
        "sha2-224",
        "rsa-sha224",
        "sha224withrsaencryption"
    ),
    algorithm!(
        "SHA256",
        sha2::Sha256,
        Hmac,
        64,
        32,
        "2.16.840.1.101.3.4.2.1",
        "sha-256",
        "sha2-256",
        "rsa-sha256",
        "sha256withrsaencryption"
    ),
    algorithm!("SHA3-224", sha3::Sha3_224, SimpleHmac, 144, 28, "2.16.840.1.101.3.4.2.7", "rsa-sha3-224"),
    algorithm!("SHA3-256", sha3::Sha3_256, SimpleHmac, 136, 32, "2.16.840.1.101.3.4.2.8", "rsa-sha3-256"),
    algorithm!("SHA3-384", sha3::Sha3_384, SimpleHmac, 104, 48, "2.16.840.1.101.3.4.2.9", "rsa-sha3-384"),
    algorithm!("SHA3-512", sha3::Sha3_512, SimpleHmac, 72, 64, "2.16.840.1.101.3.4.2.10", "rsa-sha3-512"),
    algorithm!(
        "SHA384",
        sha2::Sha384,
        Hmac,
        128,
        48,
        "2.16.840.1.101.3.4.2.2",
        "sha-384",
        "sha2-384",
        "rsa-sha384",
        "sha384withrsaencryption"
    ),
    algorithm!(
        "SHA512",
        sha2::Sha512,
        Hmac,
        128,
        64,
        "2.16.840.1.101.3.4.2.3",
        "sha-512",
        "sha2-512",
        "rsa-sha512",
        "sha512withrsaencryption"
    ),
    algorithm!(
        "SHA512-224",
        sha2::Sha512_224,
        Hmac,
        128,
        28,
        "2.16.840.1.101.3.4.2.5",
        "sha-512/224",
        "sha2-512/224",
        "rsa-sha512/224"
    ),
    algorithm!(
        "SHA512-256",
        sha2::Sha512_256,
        Hmac,
        128,
        32,
        "2.16.840.1.101.3.4.2.6",
        "sha-512/256",
        "sha2-512/256",
        "rsa-sha512/256"
    ),
    algorithm!("SM3", sm3::Sm3, Hmac, 64, 32, "1.2.156.10197.1.401", "rsa-sm3", "sm3withrsaencryption"),
];

/// The digest with this name, alias or dotted OID.
pub fn find(name: &str) -> Option<&'static Algorithm> {
    let small = name.to_ascii_lowercase();
    ALGORITHMS.iter().find(|algorithm| {
        algorithm.name.eq_ignore_ascii_case(name)
            || algorithm.oid == name
            || algorithm.aliases.contains(&small.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_digests() {
        for algorithm in ALGORITHMS {
            assert_eq!((algorithm.start)().output_size(), algorithm.size, "{}", algorithm.name);
            assert_eq!((algorithm.mac)(b"key").map(|mac| mac.code().len()), Some(algorithm.size), "{}", algorithm.name);
        }
    }

    #[test]
    fn finds_names_in_any_case() {
        assert_eq!(find("sha-256").map(|found| found.name), Some("SHA256"));
        assert_eq!(find("1.3.14.3.2.26").map(|found| found.name), Some("SHA1"));
        assert!(find("nothing").is_none());
    }
}
