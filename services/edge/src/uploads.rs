//! Uploads. They are received before the request takes a permit, so a slow upload holds none.

use std::net::IpAddr;
use std::time::Duration;

use axum::body::Body;
use bytes::BytesMut;
use http_body_util::BodyExt as _;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use crate::config;
use crate::error::Error;
use crate::in_flight::{InFlight, Slot};
use crate::input::RequestBody;

/// Longest pause between two parts of a body.
const STALL_LIMIT: Duration = Duration::from_secs(2);

/// Limits of uploads.
pub(crate) struct Uploads {
    by_address: InFlight,
    /// One permit for each KiB received.
    memory: Semaphore,
}

/// Held while the picture is in memory.
pub(crate) struct Upload<'a> {
    /// `None` for a candidate.
    _slot: Option<Slot<'a>>,
    memory: Option<SemaphorePermit<'a>>,
    size: usize,
}

impl Uploads {
    /// Creates uploads with the configured limits.
    pub(crate) fn new(limits: &config::Limits) -> Self {
        Self {
            by_address: InFlight::new(limits.uploads_per_address),
            memory: Semaphore::new(limits.upload_memory_mib * 1024),
        }
    }

    /// Receives a whole picture of a visitor from `address`.
    pub(crate) async fn receive(
        &self,
        address: Option<IpAddr>,
        declared: RequestBody,
        body: Body,
    ) -> Result<(Upload<'_>, Body), Error> {
        let slot = self.by_address.enter(address).ok_or(Error::Overloaded)?;
        let mut upload = Upload { _slot: Some(slot), memory: None, size: 0 };
        let received = timeout(declared.limits.time, self.collect(&mut upload, declared, body));
        let body = received.await.map_err(|_| Error::BodyTooSlow)??;
        Ok((upload, body))
    }

    /// Receives a whole picture of a candidate. Waits for the memory of `length` bytes, and has no limit for the address,
    /// because a school may share one. `length` is the declared length of the body.
    pub(crate) async fn receive_from_candidate(
        &self,
        length: usize,
        declared: RequestBody,
        body: Body,
    ) -> Result<(Upload<'_>, Body), Error> {
        let kib = u32::try_from(length.div_ceil(1024)).map_err(|_| declared.too_large())?;
        // Fails only for a closed semaphore, which is never closed.
        let memory = self.memory.acquire_many(kib).await.map_err(|_| Error::Internal)?;
        let mut upload = Upload { _slot: None, memory: Some(memory), size: length };
        let received = timeout(declared.limits.time, self.collect(&mut upload, declared, body));
        let body = received.await.map_err(|_| Error::BodyTooSlow)??;
        Ok((upload, body))
    }

    async fn collect<'a>(
        &'a self,
        upload: &mut Upload<'a>,
        declared: RequestBody,
        mut body: Body,
    ) -> Result<Body, Error> {
        let mut received = BytesMut::new();
        while let Some(frame) = timeout(STALL_LIMIT, body.frame()).await.map_err(|_| Error::BodyTooSlow)? {
            // Fails if the connection breaks.
            let Ok(data) = frame.map_err(|_| Error::MalformedJson)?.into_data() else { continue };
            if received.len() + data.len() > declared.limits.size {
                return Err(declared.too_large());
            }
            received.extend_from_slice(&data);
            upload.grow_to(&self.memory, received.len())?;
        }
        Ok(received.freeze().into())
    }
}

impl<'a> Upload<'a> {
    fn grow_to(&mut self, memory: &'a Semaphore, size: usize) -> Result<(), Error> {
        let held = self.size.div_ceil(1024);
        self.size = self.size.max(size);
        let more = u32::try_from(self.size.div_ceil(1024) - held).map_err(|_| Error::Overloaded)?;
        let permit = memory.try_acquire_many(more).map_err(|_| Error::Overloaded)?;
        match &mut self.memory {
            Some(memory) => memory.merge(permit),
            None => self.memory = Some(permit),
        }
        Ok(())
    }
}
