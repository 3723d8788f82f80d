//! Random secrets.

use std::fs::File;
use std::io::Read as _;

use tooling::failure::Outcome;

/// 32 random bytes in hex, safe in URLs.
pub fn create_secret() -> Outcome<String> {
    let mut bytes = [0_u8; 32];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().fold(String::with_capacity(64), |mut hex, byte| {
        hex.push(char::from(b"0123456789abcdef"[usize::from(byte >> 4)]));
        hex.push(char::from(b"0123456789abcdef"[usize::from(byte & 15)]));
        hex
    }))
}
