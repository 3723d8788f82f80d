//! A real process beside a test.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::metrics::Metric;

/// Longest wait for the metrics of a first call.
const METRICS_LIMIT: Duration = Duration::from_secs(20);

/// A process of the product; killed with the test.
pub struct Process {
    child: Child,
    log: BufReader<ChildStdout>,
}

impl Process {
    /// Starts it.
    #[must_use]
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the process starts");
        let log = BufReader::new(child.stdout.take().expect("its log is ours"));
        Self { child, log }
    }

    /// The `address` of the next log line that says `message`.
    pub fn address(&mut self, message: &str) -> SocketAddr {
        loop {
            let mut line = String::new();
            assert!(
                self.log.read_line(&mut line).expect("the log is text") > 0,
                "it ended before '{message}'"
            );
            let line: Value = serde_json::from_str(&line).expect("a line is JSON");
            if line["message"] == message {
                let address = line["address"].as_str().expect("the line has an address");
                return address.parse().expect("an address is one");
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

/// Runs `command` to its end with `input` on its standard input. Gives whether it succeeded, and all that it said.
#[must_use]
pub fn feed(command: &mut Command, input: &[u8]) -> (bool, String) {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the process starts");
    let mut stdin = child.stdin.take().expect("its input is ours");
    // It may refuse before it has read all.
    let _ = stdin.write_all(input);
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).expect("it says text"))
}

/// What `GET /metrics` shows at `address`: exactly the metrics of `declared`, or the test fails. Some appear only after a
/// first call in the background, which is waited for.
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

/// Sends `head` (a request line and headers) and `body` over a connection of its own; gives the whole answer.
#[must_use]
pub fn ask(address: SocketAddr, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let length = body.len();
    let request = format!("{head}\r\nHost: a\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer
}
