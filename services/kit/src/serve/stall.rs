//! A write timeout: a connection is closed when its peer stops reading.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream whose writes fail with `TimedOut` after a time without progress.
///
/// hyper limits the time for a request's head, but not for an answer. A peer that stops reading would hold the
/// connection and the answer forever. The time counts only while there is data to write.
pub(super) struct StallLimit<Stream> {
    stream: Stream,
    /// How long a write may wait without progress.
    limit: Duration,
    /// Called when a write times out.
    on_stall: fn(&Stream),
    /// Runs while a write waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<Stream> StallLimit<Stream> {
    pub(super) fn new(stream: Stream, limit: Duration, on_stall: fn(&Stream)) -> Self {
        Self { stream, limit, on_stall, waiting: None }
    }

    /// Returns the result of a write, or fails if it has waited too long.
    fn limited<Outcome>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<Outcome>>,
    ) -> Poll<io::Result<Outcome>> {
        if outcome.is_ready() {
            self.waiting = None;
            return outcome;
        }
        let limit = self.limit;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(limit)));
        if waiting.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        // The next poll fails, too.
        waiting.as_mut().reset(Instant::now());
        (self.on_stall)(&self.stream);
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<Stream: AsyncRead + Unpin> AsyncRead for StallLimit<Stream> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<Stream: AsyncWrite + Unpin> AsyncWrite for StallLimit<Stream> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limited(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.limited(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(context);
        self.limited(context, outcome)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_shutdown(context);
        self.limited(context, outcome)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};
    use tokio::time::timeout;

    use super::*;

    const LIMIT: Duration = Duration::from_millis(400);
    const PATIENCE: Duration = Duration::from_secs(20);

    #[tokio::test]
    async fn a_write_without_progress_fails_at_the_limit() {
        let (ours, _theirs) = duplex(10);
        let mut ours = StallLimit::new(ours, LIMIT, |_| {});
        let began = Instant::now();
        for _ in 0..2 {
            let outcome = timeout(PATIENCE, ours.write_all(&[0; 11])).await.expect("the write times out");
            assert_eq!(outcome.unwrap_err().kind(), io::ErrorKind::TimedOut);
            assert!(began.elapsed() >= LIMIT, "{:?}", began.elapsed());
        }
    }

    #[tokio::test]
    async fn slow_progress_does_not_time_out() {
        let (ours, mut theirs) = duplex(1);
        let mut ours = StallLimit::new(ours, LIMIT, |_| {});
        let began = Instant::now();
        let writing = ours.write_all(&[0; 6]);
        let reading = async {
            for _ in 0..6 {
                sleep(LIMIT / 4).await;
                theirs.read_u8().await.unwrap();
            }
        };
        tokio::join!(writing, reading).0.unwrap();
        assert!(began.elapsed() > LIMIT, "{:?}", began.elapsed());
        sleep(LIMIT * 2).await;
        ours.write_all(&[0]).await.expect("the timeout does not count without data to write");
    }
}
