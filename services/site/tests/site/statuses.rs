//! The response of each path, over real sockets.

use crate::build::{Build, COURSE, COURSES, HOME, SCRIPT, SHELL, SHELLS, get, send};

#[tokio::test]
async fn a_prerendered_page_is_its_own_html() {
    let site = Build::new().serve().await;
    for (path, page) in
        [("/", HOME), ("/course", COURSES), ("/course/101", COURSE), ("/course?page=2", COURSES)]
    {
        let answer = get(site.address, path).await;
        assert_eq!((answer.status, answer.body.as_str()), (200, page), "{path}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(answer.header("cache-control"), Some("no-cache"));
        assert_eq!(answer.header("x-robots-tag"), None);
    }
}

#[tokio::test]
async fn a_client_rendered_page_is_its_own_shell_and_not_indexed() {
    let site = Build::new().serve().await;
    let [(_, login), (_, mypage), (_, course)] = SHELLS;
    for (path, shell) in [
        ("/login", login),
        ("/mypage", mypage),
        ("/mypage/learnning/7", course),
        ("/mypage/learnning/%E6%95%B0", course),
        ("/login?next=%2Fmypage", login),
    ] {
        let answer = get(site.address, path).await;
        assert_eq!((answer.status, answer.body.as_str()), (200, shell), "{path}");
        assert_eq!(answer.header("x-robots-tag"), Some("noindex"));
    }
}

#[tokio::test]
async fn an_unknown_path_is_404_with_the_app_as_its_body() {
    let site = Build::new().serve().await;
    for path in [
        "/nothing",
        "/course/999",
        "/course/101/more",
        "/mypage/learnning",
        "/mypage/learnning/7/8",
        "/Course",
        // Files of the build that are not pages of the site.
        "/index.html",
        "/course/index.html",
        "/app.html",
        "/shells/login.html",
        "/routes.json",
        "/assets",
        "/assets/",
    ] {
        let answer = get(site.address, path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("etag"), None, "{path}");
        if !path.starts_with("/assets/") {
            assert_eq!(answer.body, SHELL, "{path}");
        }
    }
}

#[tokio::test]
async fn a_payload_is_json_and_a_missing_one_is_never_html() {
    let site = Build::new().serve().await;
    for path in ["/_payload.json", "/course/101/_payload.json"] {
        let answer = get(site.address, path).await;
        assert_eq!((answer.status, answer.body.as_str()), (200, "{}"), "{path}");
        assert_eq!(answer.header("content-type"), Some("application/json"));
    }
    for path in ["/course/999/_payload.json", "/login/_payload.json", "/assets/gone-Zz99.js"] {
        let answer = get(site.address, path).await;
        assert_eq!((answer.status, answer.body.as_str()), (404, "not found\n"), "{path}");
        assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    }
}

#[tokio::test]
async fn only_get_and_head_are_answered() {
    let site = Build::new().serve().await;
    for path in ["/", "/login", "/assets/index-Ab12.js", "/nothing"] {
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"] {
            let answer = send(site.address, method, path, &["Content-Length: 0"]).await;
            assert_eq!((answer.status, answer.header("allow")), (405, Some("GET, HEAD")), "{method} {path}");
        }
    }
}

#[tokio::test]
async fn head_equals_get_without_the_body() {
    let site = Build::new().serve().await;
    for path in ["/", "/login", "/assets/index-Ab12.js", "/nothing", "/course/"] {
        let (get, head) = (get(site.address, path).await, send(site.address, "HEAD", path, &[]).await);
        assert_eq!(head.body, "", "{path}");
        assert_eq!(head.status, get.status, "{path}");
        for name in ["content-type", "content-length", "etag", "cache-control", "location", "x-robots-tag"] {
            assert_eq!(head.header(name), get.header(name), "{name} of {path}");
        }
    }
}

#[tokio::test]
async fn a_trailing_slash_of_a_known_path_is_removed() {
    let site = Build::new().serve().await;
    for (path, target) in [
        ("/course/", "/course"),
        ("/course/101/?a=1&b=%2F", "/course/101?a=1&b=%2F"),
        ("/course/999/", "/course/999"),
        ("/mypage/learnning/7/", "/mypage/learnning/7"),
        ("http://evil.example/course/", "/course"),
    ] {
        let answer = get(site.address, path).await;
        assert_eq!((answer.status, answer.header("location")), (308, Some(target)), "{path}");
    }
}

#[tokio::test]
async fn no_path_escapes_the_folder() {
    let build = Build::new();
    build.write("../secret-of-the-site.txt", "secret");
    let site = build.serve().await;
    for path in [
        "//",
        "//evil.example",
        "//evil.example/",
        "//evil.example/course/",
        "/%2fevil.example/",
        "/\\evil.example/",
        "/%5cevil.example/",
        "///course/",
        "/course//",
        "/course/..//",
        "/../secret-of-the-site.txt",
        "/assets/../../secret-of-the-site.txt",
        "/%2e%2e/secret-of-the-site.txt",
        "/assets/..%2f..%2fsecret-of-the-site.txt",
        "/course/..",
        "/course/%2e%2e/",
        "/course/%00",
        "/course/%00/",
        "/course/%",
        "/course/%zz/",
        "/course/%0d%0aLocation:%20x/",
        "/mypage/learnning/%2e%2e",
        "/mypage/learnning/%2f%2fevil.example",
        "/%63ourse",
        "/./course",
    ] {
        let answer = get(site.address, path).await;
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        assert_eq!(answer.header("location"), None, "{path}");
        assert!(!answer.body.contains("secret"), "{path}");
    }
    std::fs::remove_file(build.root().join("../secret-of-the-site.txt")).unwrap();
}

#[tokio::test]
async fn control_bytes_and_junk_are_refused_by_the_server() {
    let site = Build::new().serve().await;
    for path in ["/\0", "/course\x07", "/a b"] {
        let answer = get(site.address, path).await;
        assert_eq!(answer.status, 400, "{path:?}");
    }
}

#[tokio::test]
async fn an_asset_is_cached_for_a_year_and_a_file_without_a_hash_is_revalidated() {
    let site = Build::new().serve().await;
    let asset = get(site.address, "/assets/index-Ab12.js").await;
    assert_eq!((asset.status, asset.body.as_str()), (200, SCRIPT));
    assert_eq!(asset.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(asset.header("content-type"), Some("text/javascript; charset=utf-8"));
    let icon = get(site.address, "/favicon.svg").await;
    assert_eq!(icon.header("cache-control"), Some("no-cache"));
    assert_eq!(icon.header("content-type"), Some("image/svg+xml"));
    // At the root, a service worker may be registered for any path.
    let worker = get(site.address, "/exam-worker.js").await;
    assert_eq!((worker.status, worker.body.as_str()), (200, SCRIPT));
    assert_eq!(worker.header("cache-control"), Some("no-cache"));
    assert_eq!(worker.header("content-type"), Some("text/javascript; charset=utf-8"));
}

#[tokio::test]
async fn a_page_that_has_not_changed_is_304() {
    let build = Build::new();
    let site = build.serve().await;
    for path in ["/", "/login", "/favicon.svg"] {
        let tag = get(site.address, path).await.header("etag").expect("a page has a tag").to_owned();
        assert!(tag.starts_with('"'), "{tag} is strong");
        let known = format!("If-None-Match: {tag}");
        let again = send(site.address, "GET", path, &[&known]).await;
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
        assert_eq!(again.header("etag"), Some(tag.as_str()));
        assert_eq!(again.header("cache-control"), Some("no-cache"));
    }
    // Same length but different content, as when only the hash in a script name changes.
    let tag = get(site.address, "/").await.header("etag").map(str::to_owned);
    build.write("index.html", &HOME.replace('ナ', "ノ"));
    let next = build.serve().await;
    assert_ne!(get(next.address, "/").await.header("etag").map(str::to_owned), tag);
}

#[tokio::test]
async fn the_compressed_sibling_is_sent_to_clients_that_accept_it() {
    let site = Build::new().serve().await;
    let path = "/assets/index-Ab12.js";
    let mut tags = Vec::new();
    for (accept, encoding, body) in [
        ("Accept-Encoding: gzip, deflate, br, zstd", Some("br"), "brotli"),
        ("Accept-Encoding: gzip", Some("gzip"), "gzip"),
        ("Accept-Encoding: br;q=0, gzip;q=0", None, SCRIPT),
    ] {
        let answer = send(site.address, "GET", path, &[accept]).await;
        assert_eq!((answer.header("content-encoding"), answer.body.as_str()), (encoding, body));
        assert_eq!(answer.header("vary"), Some("accept-encoding"));
        assert_eq!(answer.header("content-type"), Some("text/javascript; charset=utf-8"));
        tags.push(answer.header("etag").unwrap().to_owned());
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 3, "each form has a tag of its own");
    // Compressed siblings are not served as files.
    assert_eq!(get(site.address, "/assets/index-Ab12.js.br").await.status, 404);
}

#[tokio::test]
async fn changes_of_the_build_do_not_affect_a_running_server() {
    let build = Build::new();
    let site = build.serve().await;
    build.remove("course/index.html");
    build.write("index.html", "half a p");
    assert_eq!(get(site.address, "/course").await.body, COURSES);
    assert_eq!(get(site.address, "/").await.body, HOME);
}
