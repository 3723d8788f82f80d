//! Addresses that the site redirects.

use std::sync::LazyLock;
use std::{env, fs, iter, process};

use site::fuzzing::Redirects;

static REDIRECTS: LazyLock<Redirects> = LazyLock::new(|| {
    let folder = env::temp_dir().join(format!("konomana-fuzz-site-{}", process::id()));
    let routes = r#"{"prerendered": ["/", "/courses"], "maybe": ["/course/:id"], "shell": {"/login": "shells/login.html", "/lecture/:id": "shells/lecture.html"}}"#;
    let pages = ["app.html", "shells/login.html", "shells/lecture.html", "index.html", "courses/index.html"];
    let files = iter::once(("routes.json", routes)).chain(pages.map(|page| (page, "<p>")));
    for (name, text) in files {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap_or(&folder))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        fs::write(&file, text).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    Redirects::load(&folder).unwrap_or_else(|error| panic!("{error}"))
});

/// A redirect leads to a path of the site, never to another host.
pub(crate) fn redirect_target(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Some(target) = REDIRECTS.find_target(text) else { return };
    let mut bytes = target.bytes();
    assert_eq!(bytes.next(), Some(b'/'), "{target}");
    assert!(!matches!(bytes.next(), Some(b'/' | b'\\')), "{target}");
    assert!(target.bytes().all(|byte| byte >= 0x20 && byte != 0x7f), "{target}");
}
