//! The output of a process, in a file of limited size.
//!
//! Processes write to the file directly: a pipe would cost a context switch for every line.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

/// Size at which a log is moved to `.1`, replacing the previous one.
const LIMIT: u64 = 16 * 1024 * 1024;
/// Number of bytes at the end that are searched for the last line.
const TAIL: u64 = 4096;

/// The log of one process.
#[derive(Clone)]
pub(crate) struct Log(PathBuf);

impl Log {
    /// The log in the file at `path`.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Opens the file for the output of a process.
    pub(crate) fn open(&self) -> std::io::Result<File> {
        OpenOptions::new().create(true).append(true).open(&self.0)
    }

    /// Copies a long file to `.1` and empties it. The writing process continues at the beginning. Lines written in
    /// between are lost.
    pub(crate) fn tidy(&self) -> std::io::Result<()> {
        let file = self.open()?;
        if file.metadata()?.len() > LIMIT {
            std::fs::copy(&self.0, self.0.with_extension("log.1"))?;
            file.set_len(0)?;
        }
        Ok(())
    }

    /// The last line that is not empty.
    pub(crate) fn last_line(&self) -> String {
        let mut tail = Vec::new();
        let read = File::open(&self.0).and_then(|mut file| {
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
            file.read_to_end(&mut tail)
        });
        match read {
            Ok(_) => tooling::failure::last_line(&String::from_utf8_lossy(&tail)).to_owned(),
            Err(error) => format!("{}: {error}", self.0.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use tooling::scratch::Scratch;

    use super::*;

    #[test]
    fn a_long_log_is_rotated() {
        let folder = Scratch::new();
        let path = folder.path().join("x.log");
        let log = Log::new(path.clone());
        let mut writer = log.open().expect("open the log");
        let much = vec![b'a'; usize::try_from(LIMIT).expect("the limit fits into usize")];
        writer.write_all(&much).expect("write to the log");
        log.tidy().expect("check the size");
        assert!(!path.with_extension("log.1").exists());
        writer.write_all(b"\nlast\n").expect("write to the log");
        log.tidy().expect("rotate the log");
        writer.write_all(b"next\n").expect("write to the log");
        assert_eq!(std::fs::read(&path).expect("read the log"), b"next\n");
        assert!(path.with_extension("log.1").exists());
        assert_eq!(log.last_line(), "next");
    }
}
