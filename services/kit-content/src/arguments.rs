//! The arguments of an import.

use std::path::PathBuf;

use clap::Args;
use kit::Failure;

use super::{PublicKey, Source};

/// The source of an import.
///
/// Not a clap group, for the reason given at [`Serve`](kit::config::Serve).
#[derive(Args, Clone)]
#[group(skip)]
pub struct Content {
    /// A folder of content, an archive of it (`cargo dev content pack`), or `-` for an archive on standard input
    #[arg(value_name = "FOLDER|ARCHIVE|-")]
    path: PathBuf,
    /// Import only archives signed by this key: an Ed25519 public key, as PEM or its base64
    #[arg(long, env = "CONTENT_PUBLIC_KEY")]
    content_public_key: Option<PublicKey>,
}

impl Content {
    /// Reads the content of `service`. Blocks.
    pub fn open(&self, service: &str) -> Result<Source, Failure> {
        Source::open(service, &self.path, self.content_public_key.as_ref())
    }
}
