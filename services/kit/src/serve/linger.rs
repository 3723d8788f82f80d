//! A connection that hears its peer out before it closes.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};
use tonic::transport::server::Connected;

/// How long a peer may take to close its side: some round trips.
const LIMIT: Duration = Duration::from_secs(1);

/// A TCP connection whose shutdown ends its own side first, then waits until the peer has ended the other.
///
/// One that is closed while the peer still sends is reset, and a peer whose sending fails reads no more: the goodbye, by
/// which it would know what was not heard and may be sent to another, is lost. What comes in meanwhile is thrown away.
/// Only a connection that has not said yet which HTTP it speaks is dropped by hyper without any of this.
pub(super) struct Linger {
    stream: TcpStream,
    /// From the moment our side has ended.
    limit: Option<Pin<Box<Sleep>>>,
}

impl Linger {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, limit: None }
    }
}

impl Connected for Linger {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl AsyncRead for Linger {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Linger {
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
        let limit = limit.get_or_insert_with(|| Box::pin(sleep(LIMIT)));
        let mut unheard = [0; 8 * 1024];
        while limit.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut unheard);
            let read = ready!(Pin::new(&mut *stream).poll_read(context, &mut buffer));
            // The peer has ended too, or is gone.
            if read.is_err() || buffer.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}
