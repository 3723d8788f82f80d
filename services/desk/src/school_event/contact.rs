//! The contact of an entry, encrypted: the person who signed the participant up, for the mails.

use kit::encryption::Encryptor;
use uuid::Uuid;

use crate::error::Error;

/// The person who signed up, and the participant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Contact {
    /// Family name and given name.
    pub(crate) name: String,
    pub(crate) email: String,
    /// The participant's name.
    pub(crate) participant: String,
}

impl Contact {
    /// Encrypts the contact of an entry.
    pub(crate) fn seal(&self, encryptor: &Encryptor, entry: Uuid) -> Result<Vec<u8>, Error> {
        let content = [self.name.as_str(), &self.email, &self.participant].join("\n");
        encryptor.seal(&entry.to_string(), content.as_bytes()).map_err(|_| Error::Sealing)
    }

    /// Decrypts the contact of an entry.
    pub(crate) fn open(encryptor: &Encryptor, entry: Uuid, sealed: &[u8]) -> Result<Self, Error> {
        let content = encryptor.open(&entry.to_string(), sealed).map_err(|_| Error::Sealing)?;
        let content = String::from_utf8(content).map_err(|_| Error::Sealing)?;
        let mut lines = content.splitn(3, '\n').map(str::to_owned);
        let mut line = || lines.next().ok_or(Error::Sealing);
        Ok(Self { name: line()?, email: line()?, participant: line()? })
    }
}
