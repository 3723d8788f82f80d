//! A small build of a site, and raw HTTP requests.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use kit::test::TestServer;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

pub(crate) const HOME: &str = "<!doctype html><title>コノマナ</title>";
pub(crate) const COURSES: &str = "<!doctype html><title>講座一覧</title>";
pub(crate) const COURSE: &str = "<!doctype html><title>中1英語</title>";
pub(crate) const SHELL: &str = "<!doctype html><title>shell</title>";
/// The empty apps, by the name of their file.
pub(crate) const SHELLS: [(&str, &str); 3] = [
    ("login", "<!doctype html><title>login</title>"),
    ("mypage", "<!doctype html><title>mypage</title>"),
    ("mypage-learnning-id", "<!doctype html><title>learnning</title>"),
];
pub(crate) const SCRIPT: &str = "export const answer = 42;";

/// A build folder, deleted at the end of the test.
pub(crate) struct Build(PathBuf);

impl Build {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{count}", std::process::id()));
        let build = Self(root);
        build.write(
            "routes.json",
            r#"{"prerendered": ["/", "/course", "/course/101"],
                "shell": {"/login": "shells/login.html", "/mypage": "shells/mypage.html",
                    "/mypage/learnning/:id": "shells/mypage-learnning-id.html"},
                "maybe": ["/course/:id"]}"#,
        );
        build.write("app.html", SHELL);
        for (file, app) in SHELLS {
            build.write(&format!("shells/{file}.html"), app);
        }
        for (folder, page) in [("", HOME), ("course/", COURSES), ("course/101/", COURSE)] {
            build.write(&format!("{folder}index.html"), page);
            build.write(&format!("{folder}_payload.json"), "{}");
        }
        // The siblings have different content, so that a test can tell which was sent.
        build.write("assets/index-Ab12.js", SCRIPT);
        build.write("assets/index-Ab12.js.br", "brotli");
        build.write("assets/index-Ab12.js.gz", "gzip");
        build.write("favicon.svg", "<svg/>");
        build.write("exam-worker.js", SCRIPT);
        build.write("robots.txt", "User-agent: *");
        build
    }

    pub(crate) fn root(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let file = self.0.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.0.join(path)).unwrap();
    }

    /// Serves the current build.
    pub(crate) async fn serve(&self) -> TestServer {
        TestServer::http(site::app(self.root(), false).unwrap()).await
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A raw response.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// Sends a request with this method, target and header lines, unchanged.
pub(crate) async fn send(address: SocketAddr, method: &str, target: &str, headers: &[&str]) -> Answer {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut request = format!("{method} {target} HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n");
    for header in headers {
        request += header;
        request += "\r\n";
    }
    stream.write_all((request + "\r\n").as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").expect("an answer has a head");
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Answer { status, head: head.to_owned(), body: body.to_owned() }
}

pub(crate) async fn get(address: SocketAddr, target: &str) -> Answer {
    send(address, "GET", target, &[]).await
}
