//! A process of the product in tests.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::metrics::Metric;

/// Maximum wait for the metrics of a first call.
const METRICS_LIMIT: Duration = Duration::from_secs(20);

/// A process of the product; killed with the test.
pub struct Process {
    child: Child,
    log: BufReader<ChildStdout>,
}

impl Process {
    /// Starts the process.
    #[must_use]
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the process starts");
        let log = BufReader::new(child.stdout.take().expect("standard output is piped"));
        Self { child, log }
    }

    /// The field `address` of the next log line with this `message`.
    pub fn address(&mut self, message: &str) -> SocketAddr {
        loop {
            let mut line = String::new();
            assert!(
                self.log.read_line(&mut line).expect("the log is text") > 0,
                "the process ended before '{message}'"
            );
            let line: Value = serde_json::from_str(&line).expect("a line is JSON");
            if line["message"] == message {
                let address = line["address"].as_str().expect("the line has an address");
                return address.parse().expect("parse the address");
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs `command` to its end with `input` on its standard input. Returns whether it succeeded, and its output.
#[must_use]
pub fn feed(command: &mut Command, input: &[u8]) -> (bool, String) {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the process starts");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    // The command may fail before it has read everything.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("wait for the command");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).expect("the output is UTF-8"))
}

/// The response of `GET /metrics` at `address`. Fails unless it has exactly the metrics of `declared`. Waits for
/// metrics that appear only after a first call in the background.
#[must_use]
pub fn metrics(address: SocketAddr, declared: &[&[Metric]]) -> String {
    let names: BTreeSet<_> =
        declared.iter().copied().flatten().map(|metric| metric.name.trim_end_matches("_total")).collect();
    let began = Instant::now();
    loop {
        let shown = ask(address, "GET /metrics HTTP/1.1", "");
        let types = shown.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next());
        let types: BTreeSet<_> = types.collect();
        if types.is_superset(&names) || began.elapsed() > METRICS_LIMIT {
            assert_eq!(types, names, "{shown}");
            return shown;
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// Sends `head` (a request line and headers) and `body` on a new connection. Returns the whole response.
#[must_use]
pub fn ask(address: SocketAddr, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("connect to the server");
    let length = body.len();
    let request = format!("{head}\r\nHost: a\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).expect("send the request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("read the response");
    answer
}
