//! Graceful close: a connection reads until its peer has closed too.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};
use tonic::transport::server::Connected;

/// How long a peer may take to close its side: a few round trips.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// A TCP connection whose shutdown closes its own side first, then discards input until the peer has closed the other.
///
/// A connection that is closed while the peer still sends is reset. The peer then loses the GOAWAY frame, which lists
/// the requests that were not processed and may be sent elsewhere. Without this, hyper drops a connection if the peer
/// has not sent enough to detect its HTTP version.
pub(super) struct GracefulClose {
    stream: TcpStream,
    /// Set when this side is closed.
    limit: Option<Pin<Box<Sleep>>>,
}

impl GracefulClose {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, limit: None }
    }
}

impl Connected for GracefulClose {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl AsyncRead for GracefulClose {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for GracefulClose {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { stream, limit } = &mut *self;
        if limit.is_none() {
            ready!(Pin::new(&mut *stream).poll_shutdown(context))?;
        }
        let limit = limit.get_or_insert_with(|| Box::pin(sleep(CLOSE_LIMIT)));
        let mut discarded = [0; 8 * 1024];
        while limit.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut discarded);
            let read = ready!(Pin::new(&mut *stream).poll_read(context, &mut buffer));
            // The peer has closed its side, or the connection is broken.
            if read.is_err() || buffer.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}
