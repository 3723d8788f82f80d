//! A connection that measures response times.
//!
//! A response ends at the kernel's timestamp of its last bytes, so a busy load generator does not distort the
//! time.

use std::io::{self, IoSliceMut};
use std::net::SocketAddr;
use std::os::fd::AsRawFd as _;
use std::time::{Duration, Instant, SystemTime};

use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg, setsockopt, sockopt};
use nix::sys::time::{TimeVal, TimeValLike as _};
use tokio::io::{AsyncWriteExt as _, Interest};
use tokio::net::TcpStream;
use tooling::failure::{Doing as _, Outcome, fail};

/// Longest idle time; older connections are replaced.
const MAX_IDLE: Duration = Duration::from_secs(4);
/// Size of the buffer for the head of a response in bytes. Thousands of connections start at once, and
/// clearing larger buffers would take time from the load.
const BUFFER: usize = 8 * 1024;

/// A connection that is opened on first use.
pub(super) struct Connection {
    address: SocketAddr,
    stream: Option<TcpStream>,
    /// Time of the last response.
    idle_since: Instant,
    buffer: Vec<u8>,
}

impl Connection {
    pub(super) fn new(address: SocketAddr) -> Self {
        Self { address, stream: None, idle_since: Instant::now(), buffer: vec![0; BUFFER] }
    }

    /// Sends `request` and reads the response. Returns its status and duration.
    pub(super) async fn ask(&mut self, request: &[u8]) -> Outcome<(u16, Duration)> {
        self.exchange(request, None).await
    }

    /// Sends `request` and reads the response. Returns its status and body.
    pub(super) async fn fetch(&mut self, request: &[u8]) -> Outcome<(u16, Vec<u8>)> {
        let mut body = Vec::new();
        let (status, _) = self.exchange(request, Some(&mut body)).await?;
        Ok((status, body))
    }

    async fn exchange(&mut self, request: &[u8], body: Option<&mut Vec<u8>>) -> Outcome<(u16, Duration)> {
        // The edge closes connections that are idle for 5 s.
        if self.idle_since.elapsed() > MAX_IDLE {
            self.stream = None;
        }
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => self.stream.insert(connect(self.address).await?),
        };
        let begun = since_epoch()?;
        stream.write_all(request).await.doing(|| format!("sending to {}", self.address))?;
        let answer = read_answer(stream, &mut self.buffer, body).await?;
        if answer.closes {
            self.stream = None;
        }
        self.idle_since = Instant::now();
        Ok((answer.status, answer.came.saturating_sub(begun)))
    }
}

async fn connect(address: SocketAddr) -> Outcome<TcpStream> {
    let stream = TcpStream::connect(address).await.doing(|| format!("connecting to {address}"))?;
    stream.set_nodelay(true)?;
    setsockopt(&stream, sockopt::ReceiveTimestamp, &true)?;
    Ok(stream)
}

fn since_epoch() -> Outcome<Duration> {
    Ok(SystemTime::UNIX_EPOCH.elapsed()?)
}

struct Answer {
    status: u16,
    closes: bool,
    /// Arrival of the last bytes at this machine, since 1970.
    came: Duration,
}

/// Reads available bytes. Returns their number and the kernel's timestamp of the last.
async fn receive(stream: &TcpStream, buffer: &mut [u8]) -> Outcome<(usize, Duration)> {
    loop {
        stream.readable().await?;
        let mut space = nix::cmsg_space!(TimeVal);
        let received = stream.try_io(Interest::READABLE, || {
            let mut parts = [IoSliceMut::new(buffer)];
            let message = recvmsg::<()>(stream.as_raw_fd(), &mut parts, Some(&mut space), MsgFlags::empty())?;
            let came = message.cmsgs()?.find_map(|control| match control {
                ControlMessageOwned::ScmTimestamp(came) => u64::try_from(came.num_microseconds()).ok(),
                _ => None,
            });
            Ok((message.bytes, came))
        });
        match received {
            Ok((0, _)) => return fail("the connection broke in the middle of an answer"),
            Ok((length, came)) => {
                return Ok((length, came.map(Duration::from_micros).map_or_else(since_epoch, Ok)?));
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Reads a response of known length, and adds its body to `body`.
async fn read_answer(
    stream: &TcpStream,
    buffer: &mut [u8],
    mut body: Option<&mut Vec<u8>>,
) -> Outcome<Answer> {
    let mut filled = 0;
    let (head, mut came) = loop {
        let (length, came) = receive(stream, &mut buffer[filled..]).await?;
        filled += length;
        if let Some(end) = buffer[..filled].windows(4).position(|four| four == b"\r\n\r\n") {
            break (end + 4, came);
        }
    };
    buffer[..head].make_ascii_lowercase();
    let text = str::from_utf8(&buffer[..head])?;
    let status = text.get(9..12).and_then(|status| status.parse().ok());
    let Some(status) = status else {
        return fail("an answer without a status");
    };
    let header = |name: &str| text.lines().find_map(|line| line.strip_prefix(name).map(str::trim));
    let length: usize = match header("content-length:") {
        Some(length) => length.parse()?,
        None if status == 204 => 0,
        None => return fail("an answer without a length"),
    };
    let closes = header("connection:") == Some("close");
    if let Some(body) = &mut body {
        body.extend_from_slice(&buffer[head..filled]);
    }
    let mut left = (head + length).saturating_sub(filled);
    while left > 0 {
        let most = left.min(buffer.len());
        let (length, last) = receive(stream, &mut buffer[..most]).await?;
        if let Some(body) = &mut body {
            body.extend_from_slice(&buffer[..length]);
        }
        (left, came) = (left - length, last);
    }
    Ok(Answer { status, closes, came })
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n";

    #[tokio::test]
    async fn the_time_until_a_response_is_read_does_not_count() {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("the load connects");
            for _ in 0..2 {
                let asked = stream.read(&mut [0; 1024]).expect("the load asks");
                assert_eq!(asked, REQUEST.len());
                stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").expect("the load reads");
            }
        });
        let (mut connection, request) = (Connection::new(address), REQUEST);
        connection.ask(request).await.expect("it answers");
        let busy = Duration::from_millis(200);
        let started = Instant::now();
        let (answer, ()) = tokio::join!(connection.ask(request), async {
            // The load runs in a single thread, which may read much later.
            server.join().expect("it answered twice");
            std::thread::sleep(busy);
        });
        assert!(answer.expect("it answers").1 + busy <= started.elapsed());
    }

    #[tokio::test]
    async fn a_body_is_read_to_its_end() {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let text = "0123456789".repeat(BUFFER);
        let sent = text.clone();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("the load connects");
            let asked = stream.read(&mut [0; 1024]).expect("the load asks");
            assert_eq!(asked, REQUEST.len());
            let head = format!("HTTP/1.1 201 Created\r\nContent-Length: {}\r\n\r\n", sent.len());
            stream.write_all((head + &sent).as_bytes()).expect("the load reads");
        });
        let (status, body) = Connection::new(address).fetch(REQUEST).await.expect("it answers");
        server.join().expect("it answered");
        assert!(status == 201 && body == text.as_bytes(), "{status}, {} bytes", body.len());
    }
}
