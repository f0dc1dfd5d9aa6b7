//! AEAD modes: AES-GCM and ChaCha20-Poly1305, as streams. The crates for both accept whole messages only; this module
//! combines their building blocks.

use cipher::{
    Array, BlockCipherEncrypt, BlockSizeUser, InnerIvInit, KeyInit, KeyIvInit, StreamCipher, StreamCipherSeek,
    consts::U16,
};
use ghash::{GHash, universal_hash::UniversalHash};
use memory::{Grow, ToVector};
use poly1305::Poly1305;

/// An AEAD mode in progress in one direction.
pub trait Aead {
    /// Adds additional authenticated data; false if text was already processed.
    #[must_use]
    fn authenticate(&mut self, data: &[u8]) -> bool;
    /// Encrypts or decrypts in place; false if the key stream is exhausted.
    #[must_use]
    fn process(&mut self, data: &mut [u8]) -> bool;
    fn tag(&self) -> [u8; 16];
    fn copy(&self) -> Box<dyn Aead>;
}

/// Starts a mode from key, nonce, and whether it encrypts; `None` if the lengths are wrong.
pub type Start = fn(&[u8], &[u8], bool) -> Option<Box<dyn Aead>>;

/// A MAC over blocks of 16 bytes, for parts that are each padded with zeros.
#[derive(Clone)]
struct Sum<U> {
    hash: U,
    rest: Vec<u8>,
    authenticated: u64,
    text: u64,
}

impl<U: UniversalHash + BlockSizeUser<BlockSize = U16> + Clone> Sum<U> {
    fn new(hash: U) -> Sum<U> {
        Sum { hash, rest: Vec::new(), authenticated: 0, text: 0 }
    }

    fn add(&mut self, mut data: &[u8]) {
        if !self.rest.is_empty() {
            let (head, tail) = data.split_at(data.len().min(16 - self.rest.len()));
            self.rest.append_slice(head);
            data = tail;
            if self.rest.len() < 16 {
                return;
            }
            self.fill();
        }
        let (blocks, rest) = Array::<u8, U16>::slice_as_chunks(data);
        self.hash.update(blocks);
        self.rest.append_slice(rest);
    }

    fn fill(&mut self) {
        self.hash.update_padded(&self.rest);
        self.rest.clear();
    }

    fn authenticate(&mut self, data: &[u8]) -> bool {
        if self.text > 0 {
            return false;
        }
        self.authenticated += data.len() as u64;
        self.add(data);
        true
    }

    fn text(&mut self, data: &[u8]) {
        if self.text == 0 {
            self.fill();
        }
        self.text += data.len() as u64;
        self.add(data);
    }

    /// Appends the lengths in the format of the mode.
    fn finish(&self, lengths: fn(u64, u64) -> [u8; 16]) -> [u8; 16] {
        let mut sum = self.clone();
        sum.fill();
        sum.hash.update(&[lengths(sum.authenticated, sum.text).into()]);
        sum.hash.finalize().into()
    }
}

/// Galois/Counter Mode, NIST SP 800-38D.
struct Gcm<C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16>> {
    cipher: C,
    first: [u8; 16],
    stream: ctr::Ctr32BE<C>,
    sum: Sum<GHash>,
    /// The encrypted first block, which masks the tag.
    mask: [u8; 16],
    encrypting: bool,
}

fn bits(authenticated: u64, text: u64) -> [u8; 16] {
    let mut block = [0; 16];
    block[..8].copy_from_slice(&(authenticated * 8).to_be_bytes());
    block[8..].copy_from_slice(&(text * 8).to_be_bytes());
    block
}

pub fn gcm<C>(key: &[u8], nonce: &[u8], encrypting: bool) -> Option<Box<dyn Aead>>
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + KeyInit + Clone + 'static,
{
    let cipher = C::new_from_slice(key).ok()?;
    let mut hash_key = Array::default();
    cipher.encrypt_block(&mut hash_key);
    let hash = GHash::new(&hash_key);
    let mut first = [0; 16];
    if nonce.len() == 12 {
        first[..12].copy_from_slice(nonce);
        first[15] = 1;
    } else {
        let mut sum = Sum::new(hash.clone());
        sum.text(nonce);
        first = sum.finish(bits);
    }
    let mut mask = Array::from(first);
    cipher.encrypt_block(&mut mask);
    let stream = stream_behind(&cipher, first);
    Some(Box::new(Gcm { cipher, first, stream, sum: Sum::new(hash), mask: mask.into(), encrypting }))
}

/// The key stream from the second block on.
fn stream_behind<C>(cipher: &C, first: [u8; 16]) -> ctr::Ctr32BE<C>
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + Clone,
{
    let core = ctr::CtrCore::inner_iv_init(cipher.clone(), &first.into());
    let mut stream = ctr::Ctr32BE::from_core(core);
    stream.seek(16u64);
    stream
}

impl<C> Aead for Gcm<C>
where
    C: BlockCipherEncrypt + BlockSizeUser<BlockSize = U16> + Clone + 'static,
{
    fn authenticate(&mut self, data: &[u8]) -> bool {
        self.sum.authenticate(data)
    }

    fn process(&mut self, data: &mut [u8]) -> bool {
        if !self.encrypting {
            self.sum.text(data);
        }
        if self.stream.try_apply_keystream(data).is_err() {
            return false;
        }
        if self.encrypting {
            self.sum.text(data);
        }
        true
    }

    fn tag(&self) -> [u8; 16] {
        let mut tag = self.sum.finish(bits);
        for (byte, mask) in tag.iter_mut().zip(self.mask) {
            *byte ^= mask;
        }
        tag
    }

    fn copy(&self) -> Box<dyn Aead> {
        let mut stream = stream_behind(&self.cipher, self.first);
        stream.seek(self.stream.current_pos::<u64>());
        Box::new(Gcm { cipher: self.cipher.clone(), stream, sum: self.sum.clone(), ..*self })
    }
}

/// ChaCha20-Poly1305, RFC 8439.
struct ChaCha20Poly1305 {
    stream: chacha20::ChaCha20,
    sum: Sum<Poly1305>,
    key: Vec<u8>,
    nonce: Vec<u8>,
    encrypting: bool,
}

fn lengths(authenticated: u64, text: u64) -> [u8; 16] {
    let mut block = [0; 16];
    block[..8].copy_from_slice(&authenticated.to_le_bytes());
    block[8..].copy_from_slice(&text.to_le_bytes());
    block
}

pub fn chacha20_poly1305(key: &[u8], nonce: &[u8], encrypting: bool) -> Option<Box<dyn Aead>> {
    let mut stream = chacha20::ChaCha20::new_from_slices(key, nonce).ok()?;
    let mut sum_key = poly1305::Key::default();
    stream.try_apply_keystream(&mut sum_key).ok()?;
    stream.seek(64u64);
    let sum = Sum::new(Poly1305::new(&sum_key));
    Some(Box::new(ChaCha20Poly1305 { stream, sum, key: key.to_vector(), nonce: nonce.to_vector(), encrypting }))
}

impl Aead for ChaCha20Poly1305 {
    fn authenticate(&mut self, data: &[u8]) -> bool {
        self.sum.authenticate(data)
    }

    fn process(&mut self, data: &mut [u8]) -> bool {
        if !self.encrypting {
            self.sum.text(data);
        }
        if self.stream.try_apply_keystream(data).is_err() {
            return false;
        }
        if self.encrypting {
            self.sum.text(data);
        }
        true
    }

    fn tag(&self) -> [u8; 16] {
        self.sum.finish(lengths)
    }

    fn copy(&self) -> Box<dyn Aead> {
        let Ok(mut stream) = chacha20::ChaCha20::new_from_slices(&self.key, &self.nonce) else {
            unreachable!("key and nonce fitted before")
        };
        stream.seek(self.stream.current_pos::<u64>());
        let (key, nonce) = (self.key.clone(), self.nonce.clone());
        Box::new(ChaCha20Poly1305 { stream, sum: self.sum.clone(), key, nonce, encrypting: self.encrypting })
    }
}
