//! What a process writes, kept in a file that does not grow for ever.
//!
//! Processes write into the file themselves: a pipe to us would cost a change of process for every line.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

/// A file this long is put aside as `.1`, in place of the one before.
const LIMIT: u64 = 16 * 1024 * 1024;
/// Where the last line is looked for, from the end.
const TAIL: u64 = 4096;

/// The log of one process.
#[derive(Clone)]
pub(crate) struct Log(PathBuf);

impl Log {
    /// In the file at `path`.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// For a process to write to.
    pub(crate) fn open(&self) -> std::io::Result<File> {
        OpenOptions::new().create(true).append(true).open(&self.0)
    }

    /// Puts a long file's lines aside and empties it; whoever writes there goes on at its beginning. What is written
    /// in between is lost.
    pub(crate) fn tidy(&self) -> std::io::Result<()> {
        let file = self.open()?;
        if file.metadata()?.len() > LIMIT {
            std::fs::copy(&self.0, self.0.with_extension("log.1"))?;
            file.set_len(0)?;
        }
        Ok(())
    }

    /// The last line that says something.
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
    fn a_long_log_is_put_aside() {
        let folder = Scratch::new();
        let path = folder.path().join("x.log");
        let log = Log::new(path.clone());
        let mut writer = log.open().expect("it can be written");
        let much = vec![b'a'; usize::try_from(LIMIT).expect("it fits")];
        writer.write_all(&much).expect("there is room");
        log.tidy().expect("nothing is to be done");
        assert!(!path.with_extension("log.1").exists());
        writer.write_all(b"\nlast\n").expect("there is room");
        log.tidy().expect("it is put aside");
        writer.write_all(b"next\n").expect("there is room");
        assert_eq!(std::fs::read(&path).expect("it is there"), b"next\n");
        assert!(path.with_extension("log.1").exists());
        assert_eq!(log.last_line(), "next");
    }
}
