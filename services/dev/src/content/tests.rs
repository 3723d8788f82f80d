use std::fs;

use runner::places;
use tooling::scratch::Scratch;

use super::{SERVICES, check};

/// A site and its content without faults.
struct Seeded(Scratch);

impl Seeded {
    fn new() -> Self {
        let seeded = Self(Scratch::new());
        seeded.write(
            "site/routes.json",
            r#"{"prerendered": ["/", "/course/1"], "shell": {"/login": "shells/login.html", "/mypage/learnning/:id": "shells/course.html"}, "maybe": ["/course/:id"]}"#,
        );
        seeded.write(
            "site/index.html",
            r##"<meta property="og:image" content="https://www.konomana.example/share/site.png">
            <a href="#main"></a><main id="main"><a href="/course/1?a=1#outline">A</a><a href="/login">B</a>
            <a href="/mypage/learnning/7">C</a><a href="https://other.example/x">D</a><a href="/api/lms/course/1/">E</a>
            <img src="/share/site.png" alt=""><svg aria-hidden="true"></svg></main>"##,
        );
        seeded.write("site/course/1/index.html", r#"<h2 id="outline"></h2><a href="/">A</a>"#);
        seeded.write("site/share/site.png", "png");
        seeded.write("content/teachers.yaml", "teachers:\n  - id: 1\n    name: 佐倉みのり\n");
        seeded.write("content/courses/1.yaml", "id: 1\nteacher: 1\npicture: 1.png\nchapters: []\n");
        seeded.write("content/courses/1.png", "png");
        seeded.write(
            "content/notices.yaml",
            "- body: |\n    [講座](/course/1)と[外](https://other.example)です。\n",
        );
        seeded
    }

    fn write(&self, file: &str, text: &str) {
        let file = self.0.path().join(file);
        fs::create_dir_all(file.parent().expect("the file has a folder")).expect("create the folder");
        fs::write(file, text).expect("write the file");
    }

    /// Returns the faults, a line each, without the name of the folder.
    fn faults(&self) -> Vec<String> {
        let root = self.0.path();
        let checked =
            check(&root.join("site"), &[root.join("content")]).expect("read the site and the content");
        let own = format!("{}/", root.display());
        checked.faults.iter().map(|line| line.replace(&own, "")).collect()
    }
}

#[test]
fn a_site_without_faults_has_an_empty_report() {
    assert_eq!(Seeded::new().faults(), [""; 0]);
}

#[test]
fn a_dead_link_is_reported_once_for_each_page() {
    let seeded = Seeded::new();
    seeded.write(
        "site/course/1/index.html",
        r##"<a href="/course/2">A</a><a href="/course/2">B</a><a href="#outline">C</a><a href="course">D</a>"##,
    );
    assert_eq!(
        seeded.faults(),
        [
            "index.html: the link /course/1?a=1#outline leads to an anchor that the page /course/1 does not have",
            "course/1/index.html: the link /course/2 leads to no page",
            "course/1/index.html: the link #outline leads to an anchor that the page /course/1 does not have",
            "course/1/index.html: the link course is neither a path nor a complete URL",
        ]
    );
}

#[test]
fn missing_pictures_and_alternative_texts_are_reported() {
    let seeded = Seeded::new();
    seeded.write(
        "site/course/1/index.html",
        r#"<h2 id="outline"></h2><img src="/gone.png"><svg></svg><svg role="img" aria-label="図"></svg>
        <meta property="og:image" content="https://www.konomana.example/share/1.png">"#,
    );
    assert_eq!(
        seeded.faults(),
        [
            "course/1/index.html: the picture /gone.png is missing",
            "course/1/index.html: the picture /gone.png has no alternative text",
            "course/1/index.html: a drawing has no alternative text, and is not hidden",
            "course/1/index.html: the picture /share/1.png is missing",
        ]
    );
}

#[test]
fn faults_in_content_are_reported_with_their_line() {
    let seeded = Seeded::new();
    seeded.write("content/notices.yaml", "- body: |\n    はじめに\n\n    [古いお知らせ](/notice/99)です。\n");
    seeded.write(
        "content/courses/1.yaml",
        "id: 1\nteacher: 1\npicture: 2.png\nthumbnail: /share/2.png\nchapters: []\n",
    );
    seeded.write("content/figures/3.svg", "<svg/>");
    seeded.write(
        "content/papers/1.yaml",
        "questions:\n  - id: 1\n    figures:\n      - file: 3.svg\n      - file: 4.svg\n",
    );
    assert_eq!(
        seeded.faults(),
        [
            "content/courses/1.yaml:3: the picture 2.png is missing",
            "content/courses/1.yaml:4: the picture /share/2.png is missing",
            "content/notices.yaml:4: the link /notice/99 leads to no page",
            "content/papers/1.yaml:5: the picture 4.svg is missing",
        ]
    );
}

#[test]
fn courses_without_a_teacher_are_reported() {
    let seeded = Seeded::new();
    seeded.write("content/courses/2.yaml", "id: 2\nname: 数学\nchapters: []\n");
    seeded.write("content/courses/3.yaml", "id: 3\nteacher: 9\nchapters: []\n");
    assert_eq!(
        seeded.faults(),
        [
            "content/courses/2.yaml: the course has no teacher",
            "content/courses/3.yaml: the teacher 9 of this course is unknown",
        ]
    );
}

#[test]
fn a_missing_build_is_an_error() {
    let folder = Scratch::new();
    let checked = check(folder.path(), &[folder.path()]);
    assert!(checked.is_err_and(|error| error.to_string().contains("routes.json")));
}

#[test]
fn questions_that_lead_to_no_lesson_or_beyond_its_end_are_told() {
    let seeded = Seeded::new();
    seeded.write(
        "content/courses/1.yaml",
        "id: 1\nteacher: 1\nchapters: [{units: [{lessons: [{id: 101, duration: 300}]}]}]\n",
    );
    seeded.write(
        "content/exams/1/math.yaml",
        "questions:\n  - { id: 1, lesson: 101, watch_again_at: 299 }\n  - { id: 2, lesson: 101, watch_again_at: 300 }\n  \
         - { id: 3, lesson: 102 }\n  - { id: 4 }\n",
    );
    assert_eq!(
        seeded.faults(),
        [
            "content/exams/1/math.yaml: question 2 names a second after the end of its lesson 101",
            "content/exams/1/math.yaml: the lesson 102 of question 3 is in no course",
        ]
    );
}

#[test]
fn every_folder_of_demo_content_is_packed() {
    let mut folders: Vec<_> = fs::read_dir(places::service("lms").parent().expect("a parent"))
        .expect("the services")
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().join("demo").is_dir())
        .map(|entry| entry.file_name().into_string().expect("UTF-8"))
        .collect();
    folders.sort();
    let mut packed = SERVICES.map(str::to_owned).to_vec();
    packed.push("auth".to_owned());
    packed.sort();
    assert_eq!(folders, packed);
}
