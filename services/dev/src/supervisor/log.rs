//! What a process writes, kept in a file that does not grow for ever.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt as _};

/// A file this long is put aside as `.1`, in place of the one before.
const LIMIT: u64 = 16 * 1024 * 1024;
/// How much of the end is remembered, for the last line.
const TAIL: usize = 4096;

/// The log of one process. Cheap to clone; every clone writes the same file.
#[derive(Clone)]
pub(super) struct Log(Arc<Mutex<Writer>>);

struct Writer {
    path: PathBuf,
    file: Option<File>,
    length: u64,
    tail: Vec<u8>,
}

impl Log {
    /// Appends to the file at `path`.
    pub(super) fn new(path: PathBuf) -> Self {
        Self(Arc::new(Mutex::new(Writer { path, file: None, length: 0, tail: Vec::new() })))
    }

    /// Keeps everything that comes from `pipe`, to its end.
    pub(super) async fn take(&self, mut pipe: impl AsyncRead + Unpin) {
        let mut buffer = vec![0; 16 * 1024];
        while let Ok(length @ 1..) = pipe.read(&mut buffer).await {
            let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // A process must not stand still because its log can't be written (a full disk): its words are lost.
            let _ = writer.append(&buffer[..length]);
        }
    }

    /// The last line that says something.
    pub(super) fn last_line(&self) -> String {
        let writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        crate::failure::last_line(&String::from_utf8_lossy(&writer.tail)).to_owned()
    }
}

impl Writer {
    fn append(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.tail.extend_from_slice(bytes);
        let surplus = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..surplus);
        if self.length > LIMIT {
            self.file = None;
            std::fs::rename(&self.path, self.path.with_extension("log.1"))?;
        }
        let file = if let Some(file) = &mut self.file {
            file
        } else {
            let file = OpenOptions::new().create(true).append(true).open(&self.path)?;
            self.length = file.metadata()?.len();
            self.file.insert(file)
        };
        file.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[tokio::test]
    async fn a_long_log_is_put_aside() {
        let folder = Scratch::new();
        let path = folder.path().join("x.log");
        let log = Log::new(path.clone());
        let mut much = vec![b'a'; usize::try_from(LIMIT).expect("it fits")];
        much.push(b'\n');
        log.take(much.as_slice()).await;
        log.take(b"next\n".as_slice()).await;
        assert_eq!(std::fs::read(&path).expect("it is there"), b"next\n");
        assert!(path.with_extension("log.1").exists());
        assert_eq!(log.last_line(), "next");
    }
}
