//! Random bytes from the system, fit for keys.

use rustix::rand::{GetRandomFlags, getrandom};

use crate::{Errno, Result};

/// Fills the buffer. Blocks only until the system has initialized its random source.
pub fn fill(buffer: &mut [u8]) -> Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        match getrandom(&mut buffer[done..], GetRandomFlags::empty()) {
            Ok(count) => done += count,
            Err(rustix::io::Errno::INTR) => {}
            Err(errno) => return Err(Errno::from(errno)),
        }
    }
    Ok(())
}

/// A random number: a seed.
pub fn seed() -> Result<u64> {
    let mut bytes = [0; 8];
    fill(&mut bytes)?;
    Ok(u64::from_ne_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_differ() {
        let (mut a, mut b) = ([0; 300], [0; 300]);
        fill(&mut a).unwrap();
        fill(&mut b).unwrap();
        assert_ne!(a, b);
    }
}
