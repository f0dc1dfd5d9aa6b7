//! Modes without a tag: the output has the length of the input, in whole blocks for block modes.

use cipher::{
    Array, Block, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser,
    InnerIvInit, IvState, KeyInit, KeyIvInit, StreamCipher, StreamCipherSeek, consts::U16,
};
use memory::ToVector;

/// A mode in progress in one direction.
pub trait Engine {
    /// Encrypts or decrypts in place; false if the key stream is exhausted.
    #[must_use]
    fn process(&mut self, data: &mut [u8]) -> bool;
    fn copy(&self) -> Box<dyn Engine>;
}

/// Starts a mode from key, initialization vector, and whether it encrypts; `None` if the lengths are wrong.
pub type Start = fn(&[u8], &[u8], bool) -> Option<Box<dyn Engine>>;

fn boxed<E: Engine + 'static>(engine: E) -> Option<Box<dyn Engine>> {
    Some(Box::new(engine))
}

/// The traits that all block ciphers here implement.
pub trait BlockCipher: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit + Clone + 'static {}

impl<C: BlockCipherEncrypt + BlockCipherDecrypt + KeyInit + Clone + 'static> BlockCipher for C {}

/// ECB: each block separately.
#[derive(Clone)]
struct Codebook<C> {
    cipher: C,
    encrypting: bool,
}

impl<C: BlockCipher> Engine for Codebook<C> {
    fn process(&mut self, data: &mut [u8]) -> bool {
        let (blocks, _) = Array::<u8, C::BlockSize>::slice_as_chunks_mut(data);
        if self.encrypting {
            self.cipher.encrypt_blocks(blocks);
        } else {
            self.cipher.decrypt_blocks(blocks);
        }
        true
    }

    fn copy(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }
}

pub fn ecb<C: BlockCipher>(key: &[u8], _: &[u8], encrypting: bool) -> Option<Box<dyn Engine>> {
    boxed(Codebook { cipher: C::new_from_slice(key).ok()?, encrypting })
}

/// The library's modes cannot be cloned: they are recreated from the cipher and the vector for each step.
#[derive(Clone)]
struct Chained<C: BlockSizeUser> {
    cipher: C,
    vector: Block<C>,
    encrypting: bool,
}

impl<C: BlockCipher> Engine for Chained<C> {
    fn process(&mut self, data: &mut [u8]) -> bool {
        let (blocks, _) = Array::<u8, C::BlockSize>::slice_as_chunks_mut(data);
        if self.encrypting {
            let mut mode = ::cbc::Encryptor::inner_iv_init(&self.cipher, &self.vector);
            mode.encrypt_blocks(blocks);
            self.vector = mode.iv_state();
        } else {
            let mut mode = ::cbc::Decryptor::inner_iv_init(&self.cipher, &self.vector);
            mode.decrypt_blocks(blocks);
            self.vector = mode.iv_state();
        }
        true
    }

    fn copy(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }
}

pub fn cbc<C: BlockCipher>(key: &[u8], iv: &[u8], encrypting: bool) -> Option<Box<dyn Engine>> {
    boxed(Chained { cipher: C::new_from_slice(key).ok()?, vector: Block::<C>::try_from(iv).ok()?, encrypting })
}

/// Cipher feedback by blocks, with the rest of a started block.
#[derive(Clone)]
struct Feedback<C: BlockSizeUser> {
    cipher: C,
    register: Block<C>,
    used: usize,
    encrypting: bool,
}

impl<C: BlockCipher> Feedback<C> {
    fn new(key: &[u8], iv: &[u8], encrypting: bool) -> Option<Feedback<C>> {
        let cipher = C::new_from_slice(key).ok()?;
        let fresh = cfb_mode::BufEncryptor::inner_iv_init(&cipher, &Block::<C>::try_from(iv).ok()?);
        let (register, used) = fresh.get_state();
        let (register, used) = (register.clone(), used);
        drop(fresh);
        Some(Feedback { cipher, register, used, encrypting })
    }
}

impl<C: BlockCipher> Engine for Feedback<C> {
    fn process(&mut self, data: &mut [u8]) -> bool {
        if self.encrypting {
            let mut mode = cfb_mode::BufEncryptor::from_state(&self.cipher, &self.register, self.used);
            mode.encrypt(data);
            let (register, used) = mode.get_state();
            (self.register, self.used) = (register.clone(), used);
        } else {
            let mut mode = cfb_mode::BufDecryptor::from_state(&self.cipher, &self.register, self.used);
            mode.decrypt(data);
            let (register, used) = mode.get_state();
            (self.register, self.used) = (register.clone(), used);
        }
        true
    }

    fn copy(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }
}

pub fn cfb<C: BlockCipher>(key: &[u8], iv: &[u8], encrypting: bool) -> Option<Box<dyn Engine>> {
    boxed(Feedback::<C>::new(key, iv, encrypting)?)
}

/// Output feedback: its key stream is the cipher feedback of zeros.
struct OutputFeedback<C: BlockSizeUser>(Feedback<C>);

impl<C: BlockCipher> Engine for OutputFeedback<C> {
    fn process(&mut self, data: &mut [u8]) -> bool {
        let mut stream = memory::filled(0, data.len());
        let whole = self.0.process(&mut stream);
        for (byte, key) in data.iter_mut().zip(stream) {
            *byte ^= key;
        }
        whole
    }

    fn copy(&self) -> Box<dyn Engine> {
        Box::new(OutputFeedback(self.0.clone()))
    }
}

pub fn ofb<C: BlockCipher>(key: &[u8], iv: &[u8], _: bool) -> Option<Box<dyn Engine>> {
    boxed(OutputFeedback(Feedback::<C>::new(key, iv, true)?))
}

/// Cipher feedback by bytes.
#[derive(Clone)]
struct ByteFeedback<C: BlockSizeUser> {
    cipher: C,
    register: Block<C>,
    encrypting: bool,
}

impl<C: BlockCipher> Engine for ByteFeedback<C> {
    fn process(&mut self, data: &mut [u8]) -> bool {
        let (bytes, _) = Array::<u8, cipher::consts::U1>::slice_as_chunks_mut(data);
        if self.encrypting {
            let mut mode = ::cfb8::Encryptor::inner_iv_init(&self.cipher, &self.register);
            mode.encrypt_blocks(bytes);
            self.register = mode.iv_state();
        } else {
            let mut mode = ::cfb8::Decryptor::inner_iv_init(&self.cipher, &self.register);
            mode.decrypt_blocks(bytes);
            self.register = mode.iv_state();
        }
        true
    }

    fn copy(&self) -> Box<dyn Engine> {
        Box::new(self.clone())
    }
}

pub fn cfb8<C: BlockCipher>(key: &[u8], iv: &[u8], encrypting: bool) -> Option<Box<dyn Engine>> {
    boxed(ByteFeedback { cipher: C::new_from_slice(key).ok()?, register: Block::<C>::try_from(iv).ok()?, encrypting })
}

/// A key stream with random access, recreated for a copy.
struct Keystream<S> {
    stream: S,
    key: Vec<u8>,
    iv: Vec<u8>,
}

impl<S: StreamCipher + StreamCipherSeek + KeyIvInit + 'static> Keystream<S> {
    fn new(key: &[u8], iv: &[u8], at: u64) -> Option<Keystream<S>> {
        let mut stream = S::new_from_slices(key, iv).ok()?;
        stream.seek(at);
        Some(Keystream { stream, key: key.to_vector(), iv: iv.to_vector() })
    }
}

impl<S: StreamCipher + StreamCipherSeek + KeyIvInit + 'static> Engine for Keystream<S> {
    fn process(&mut self, data: &mut [u8]) -> bool {
        self.stream.try_apply_keystream(data).is_ok()
    }

    fn copy(&self) -> Box<dyn Engine> {
        match Keystream::<S>::new(&self.key, &self.iv, self.stream.current_pos()) {
            Some(copy) => Box::new(copy),
            None => unreachable!("key and vector fitted before"),
        }
    }
}

/// CTR mode of ciphers with blocks of 16 bytes; the counter is the whole block.
pub fn ctr<C>(key: &[u8], iv: &[u8], _: bool) -> Option<Box<dyn Engine>>
where
    C: BlockCipher + BlockSizeUser<BlockSize = U16> + cipher::BlockSizeUser,
{
    boxed(Keystream::<::ctr::Ctr128BE<C>>::new(key, iv, 0)?)
}

/// The vector begins with the number of the first block, 4 bytes in little-endian order.
pub fn chacha20(key: &[u8], iv: &[u8], _: bool) -> Option<Box<dyn Engine>> {
    let (counter, nonce) = iv.split_first_chunk::<4>()?;
    boxed(Keystream::<::chacha20::ChaCha20>::new(key, nonce, u64::from(u32::from_le_bytes(*counter)) * 64)?)
}
