//! Caller assertions between services.

use std::sync::LazyLock;

use kit::caller::{Keyring, Service, Signer};
use kit::clock::Clock;
use time::OffsetDateTime;
use time::macros::datetime;

const NOW: OffsetDateTime = datetime!(2026-11-20 03:00 UTC);
const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
const PATH: &str = "/lms.v1.MarkService/ListBookmarks";

static KEYRING: LazyLock<Keyring> = LazyLock::new(|| {
    Keyring::new(Service::Lms, &format!("edge={SECRET}")).unwrap_or_else(|error| panic!("{error}"))
});

/// What the edge really sends.
static SENT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let signer = Signer::new(Service::Edge, Service::Lms, SECRET, Clock::new(|| NOW));
    let signer = signer.unwrap_or_else(|error| panic!("{error}"));
    signer.sign(None, PATH).as_bytes().to_vec()
});

/// A header of a stranger is never taken; the edge's own is, with any change it is not.
pub(crate) fn caller_assertion(data: &[u8]) {
    let now = NOW.unix_timestamp() * 1_000;
    if data != *SENT {
        assert!(KEYRING.verify(data, PATH, now).is_err());
    }
    let changed: Vec<u8> =
        SENT.iter().zip(data.iter().chain(std::iter::repeat(&0))).map(|(sent, byte)| sent ^ byte).collect();
    assert_eq!(KEYRING.verify(&changed, PATH, now).is_ok(), changed == *SENT);
    if let Ok(path) = std::str::from_utf8(data) {
        assert_eq!(KEYRING.verify(&SENT, path, now).is_ok(), path == PATH);
    }
}
