//! The slides of a lesson: content, start times and spoken text.
//!
//! All of it is computed from the course, so drawing and importing a lesson agree on times and pages.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::Outcome;
use crate::course::{self, Course, Placed};
use crate::course_figures::WorkedExample;
use crate::look::{LOOKS, Look};
use crate::sheet::Sheet;
use crate::words;

/// Content of a slide.
pub(crate) enum Body {
    /// Title slide: the names above the lesson, widest first, then its own.
    Title { above: Vec<String>, name: String },
    /// One statement, and a note on how to use it.
    Lead { text: String, note: String },
    /// A list of points.
    Points(Vec<Point>),
    /// A question, the steps to its answer, and a figure.
    Worked { question: String, steps: Vec<String>, figure: Sheet },
}

/// A point of a list.
pub(crate) struct Point {
    pub(crate) label: String,
    pub(crate) text: String,
    /// Whether it is the current one.
    pub(crate) is_here: bool,
}

/// A slide. Times are in whole seconds.
pub(crate) struct Slide {
    pub(crate) at: u32,
    pub(crate) length: u32,
    pub(crate) heading: String,
    pub(crate) body: Body,
    pub(crate) said: Vec<String>,
    /// Whether other lessons of the course show the same slide.
    pub(crate) is_common: bool,
}

/// Display time of each slide, in shares of the lesson: about the lesson, worked examples, about the subject.
const ABOUT: [u32; 4] = [5, 11, 10, 14];
const WORKED: u32 = 16;
const SUBJECT: [u32; 4] = [20, 13, 15, 12];

/// Returns the slides of a lesson of `duration` seconds.
pub(crate) fn slides(placed: Placed<'_>, duration: u32) -> Vec<Slide> {
    let about = [title(placed), goal(placed), place(placed), names(placed)];
    let own = placed.course.figures.find_examples(placed.lesson.id).iter().map(present_example);
    let subject = [steps(placed), stumbles(placed), practice(placed), recap(placed)];
    let mut pages: Vec<_> = about.into_iter().zip(ABOUT).collect();
    pages.extend(own.map(|page| (page, WORKED)));
    let common = pages.len();
    pages.extend(subject.into_iter().zip(SUBJECT));
    timed(pages, common, duration)
}

/// Gives each page its share of `duration`, in order. Pages from index `common` on are shared with other
/// lessons.
fn timed(pages: Vec<(Page<'_>, u32)>, common: usize, duration: u32) -> Vec<Slide> {
    let whole: u32 = pages.iter().map(|(_, share)| share).sum();
    let mut share = 0;
    let mut slides: Vec<Slide> = Vec::new();
    for ((heading, body, said), own) in pages {
        let at = duration * share / whole;
        share += own;
        let length = duration * share / whole - at;
        let is_common = slides.len() >= common;
        slides.push(Slide { at, length, heading: heading.to_owned(), body, said, is_common });
    }
    slides
}

/// Returns the slides of a course's introduction of `duration` seconds.
pub(crate) fn orientation(course: &Course, duration: u32) -> Vec<Slide> {
    let welcome = vec![
        format!("こんにちは。{}へようこそ。", named(&course.name)),
        "この動画では、講座の中身と進め方をご案内します。".to_owned(),
        "一分あまりで見終わります。".to_owned(),
    ];
    let name = "講座の進め方".to_owned();
    let title = Body::Title { above: vec![course.name.clone()], name };
    let aims = vec![
        "まず、この講座のゴールです。".to_owned(),
        course.summary.clone(),
        "はじめから全部わからなくても大丈夫です。".to_owned(),
        "一つずつ、できることをふやしていきましょう。".to_owned(),
    ];
    let note = format!("全部で{}のレッスンがあります。", course.lessons().count());
    let aim = Body::Lead { text: course.summary.clone(), note };
    let chapters = course.chapters.iter().zip(1..);
    let outline = chapters.clone().map(|(chapter, number)| point(&number.to_string(), &chapter.name));
    let mut passed = vec![format!("講座は、{}つの章でできています。", course.chapters.len())];
    passed.extend(chapters.map(|(chapter, number)| format!("第{number}章は{}です。", named(&chapter.name))));
    passed.push("上から順に進めると、前に学んだことが次の土台になります。".to_owned());
    let mut ways = vec!["一つのレッスンは、三つの手順で進めます。".to_owned()];
    ways.extend(words::WAYS.map(|(_, text)| text.to_owned()));
    ways.push("それでは、第1章でお会いしましょう。".to_owned());
    let pages = vec![
        (("はじめに", title, welcome), 15),
        (("この講座のゴール", aim, aims), 25),
        (("学ぶこと", Body::Points(outline.collect()), passed), 30),
        (("レッスンの進め方", Body::Points(numbered(&words::WAYS)), ways), 30),
    ];
    let common = pages.len();
    timed(pages, common, duration)
}

type Page<'a> = (&'a str, Body, Vec<String>);

fn point(label: &str, text: &str) -> Point {
    Point { label: label.to_owned(), text: text.to_owned(), is_here: false }
}

fn title(Placed { course, chapter, unit, lesson, .. }: Placed<'_>) -> Page<'_> {
    let body = Body::Title {
        above: vec![course.name.clone(), chapter.name.clone(), unit.name.clone()],
        name: lesson.name.clone(),
    };
    let said = vec![
        format!("こんにちは。{}へようこそ。", named(&course.name)),
        format!("今日のレッスンは{}です。", named(&lesson.name)),
        format!("章{}の中の、単元{}で学びます。", named(&chapter.name), named(&unit.name)),
        "ノートと筆記用具を用意して、始めましょう。".to_owned(),
    ];
    ("はじめに", body, said)
}

fn goal(Placed { lesson, .. }: Placed<'_>) -> Page<'_> {
    let body = Body::Lead {
        text: lesson.summary.clone(),
        note: "見終わったときに、自分の言葉で言えれば合格です。".to_owned(),
    };
    let said = vec![
        "まず、このレッスンの目標を確かめましょう。".to_owned(),
        lesson.summary.clone(),
        "見終わったときに、これを自分の言葉で言えれば合格です。".to_owned(),
        "いまはまだできなくても大丈夫です。".to_owned(),
        "目標をノートのいちばん上に書いておくと、最後に見直しやすくなります。".to_owned(),
        "むずかしいと感じたら、再生の速さを下げて見てください。".to_owned(),
    ];
    ("このレッスンの目標", body, said)
}

fn place(Placed { unit, lesson, index, .. }: Placed<'_>) -> Page<'_> {
    let points = unit.lessons.iter().zip(1..).map(|(each, number)| Point {
        label: format!("{number}"),
        text: each.name.clone(),
        is_here: each.id == lesson.id,
    });
    let mut said = vec![
        format!("単元{}には、レッスンが{}つあります。", named(&unit.name), unit.lessons.len()),
        format!("このレッスンは、その{}つ目です。", index + 1),
    ];
    if let Some(before) = index.checked_sub(1).and_then(|before| unit.lessons.get(before)) {
        said.push(format!("前のレッスンは{}でした。", named(&before.name)));
        said.push("そこで学んだことが、今日の土台になります。".to_owned());
        said.push("内容を思い出せないときは、先に前のレッスンを見直しましょう。".to_owned());
    } else {
        said.push("単元の最初のレッスンなので、ここから始めて大丈夫です。".to_owned());
        said.push("これからの土台になるところを、ゆっくり確かめていきます。".to_owned());
    }
    if let Some(next) = unit.lessons.get(index + 1) {
        said.push(format!("このあとは{}へ進みます。", named(&next.name)));
    } else {
        said.push("これで単元のまとめになります。".to_owned());
    }
    ("いまいるところ", Body::Points(points.collect()), said)
}

/// Formats a name for use in a sentence.
fn named(name: &str) -> String {
    if name.contains('「') { format!("『{name}』") } else { format!("「{name}」") }
}

/// Returns the distinct texts in 「」.
fn quoted(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for part in text.split('「').skip(1) {
        if let Some((word, _)) = part.split_once('」')
            && !found.contains(&word)
        {
            found.push(word);
        }
    }
    found
}

fn names(Placed { chapter, unit, lesson, .. }: Placed<'_>) -> Page<'_> {
    let (mut said, mut points) = (Vec::new(), Vec::new());
    said.push("題名には、学ぶことの中心になる言葉が入っています。".to_owned());
    let words = [quoted(&lesson.name), quoted(&lesson.summary)].concat();
    points.push(point("レッスン", &lesson.name));
    said.push(format!("今日の中心は{}です。", named(&lesson.name)));
    if !words.is_empty() {
        let listed: Vec<String> = words.iter().take(3).map(|word| format!("「{word}」")).collect();
        points.push(point("言葉", &listed.concat()));
        said.push(format!("とくに{}に注目してください。", listed.join("と")));
    }
    points.push(point("単元", &unit.name));
    said.push(format!("これは、単元{}に必要な考え方です。", named(&unit.name)));
    points.push(point("章", &chapter.name));
    said.push(format!("そして、章{}全体につながっていきます。", named(&chapter.name)));
    said.push("三つの題名を声に出して読み、何を学ぶのかを思いうかべましょう。".to_owned());
    said.push("知らない言葉があれば、ノートに書き出しておきます。".to_owned());
    said.push("あとでテキストのPDFと見くらべると、意味がはっきりします。".to_owned());
    ("大切な言葉", Body::Points(points), said)
}

fn present_example(example: &WorkedExample) -> Page<'_> {
    let WorkedExample { heading, question, steps, figure } = example;
    let begins = match heading.as_str() {
        "例題" => "例題を一つ、いっしょに解きましょう。",
        _ => "ここからは、図や表を見ながら考えます。",
    };
    let mut said = vec![begins.to_owned(), question.clone()];
    said.push("まず、自分ならどうするかを考えてみましょう。".to_owned());
    said.extend(steps.iter().cloned());
    said.push("図や表と見くらべながら、もう一度たどってみましょう。".to_owned());
    (heading, Body::Worked { question: question.clone(), steps: steps.clone(), figure: figure.draw() }, said)
}

fn steps(Placed { course, lesson, .. }: Placed<'_>) -> Page<'_> {
    let steps = &words::find_words(&course.category).steps;
    let mut said = vec![format!("では、{}を三つの手順で考えます。", named(&lesson.name))];
    for (number, (label, text)) in ["一つ目", "二つ目", "三つ目"].into_iter().zip(steps) {
        said.push(format!("{number}は、「{label}」です。"));
        said.push((*text).to_owned());
    }
    said.push("三つの手順を、順番に一つずつ進めるのがこつです。".to_owned());
    said.push("急がずに、途中で止まったところへ印をつけておきましょう。".to_owned());
    said.push("もう一度見たいときは、十秒ずつもどすことができます。".to_owned());
    ("考え方の手順", Body::Points(numbered(steps)), said)
}

fn numbered(points: &[words::Point]) -> Vec<Point> {
    points.iter().map(|(label, text)| point(label, text)).collect()
}

/// Rotation index of a lesson, from the last digits of its id.
fn turn(id: i64) -> usize {
    usize::try_from(id.rem_euclid(3)).unwrap_or_default()
}

fn stumbles(Placed { course, lesson, .. }: Placed<'_>) -> Page<'_> {
    let stumbles = &words::find_words(&course.category).stumbles[turn(lesson.id)];
    let mut said = vec!["ここで、よくあるつまずきを二つ見ておきましょう。".to_owned()];
    for (label, text) in stumbles {
        said.push(format!("「{label}」というつまずきです。"));
        said.push((*text).to_owned());
    }
    said.push("思いあたることがあれば、今日のうちに直しておきましょう。".to_owned());
    said.push("つまずきに気づけたら、それはもう半分できたということです。".to_owned());
    ("つまずきやすいところ", Body::Points(numbered(stumbles)), said)
}

fn practice(Placed { course, lesson, .. }: Placed<'_>) -> Page<'_> {
    let text = words::find_words(&course.category).tries[turn(lesson.id)].to_owned();
    let said = vec![
        "それでは、やってみましょう。".to_owned(),
        "ここで動画を止めて、自分の手を動かします。".to_owned(),
        text.clone(),
        "うまくいかなくても、書いたものは消さずに残しておきます。".to_owned(),
        "終わったら、再生してください。".to_owned(),
        "書いたものを、目標と見くらべてみましょう。".to_owned(),
    ];
    ("やってみよう", Body::Lead { text, note: "動画を止めて、手を動かしましょう。".to_owned() }, said)
}

fn recap(Placed { course, unit, lesson, index, .. }: Placed<'_>) -> Page<'_> {
    let checks = words::find_words(&course.category).checks;
    let points = checks.iter().zip(1..).map(|(check, number)| point(&number.to_string(), check)).collect();
    let mut said = vec![
        "最後に、今日の学びをふり返ります。".to_owned(),
        "今日の目標は、次のことでした。".to_owned(),
        lesson.summary.clone(),
    ];
    said.extend(checks.map(str::to_owned));
    said.push(match unit.lessons.get(index + 1) {
        Some(next) => format!("次のレッスンは{}です。", named(&next.name)),
        None => "これでこの単元はおしまいです。よくがんばりました。".to_owned(),
    });
    said.push("おつかれさまでした。".to_owned());
    ("まとめ", Body::Points(points), said)
}

/// The marks of a video as YAML: each slide begins one.
fn marks(slides: &[Slide]) -> String {
    let marks = slides.iter().map(|slide| format!("{{ at: {}, name: {} }}", slide.at, slide.heading));
    format!("[{}]", marks.collect::<Vec<_>>().join(", "))
}

/// The pages of a handout as YAML: one for each slide.
fn pages(slides: &[Slide]) -> String {
    let pages = slides.iter().zip(1..).map(|(slide, page)| format!("{{ page: {page}, at: {} }}", slide.at));
    format!("[{}]", pages.collect::<Vec<_>>().join(", "))
}

/// URL of the public video `name` of a course.
fn open_video(course: i64, name: &str) -> String {
    format!("/api/media/open/course/{course}/{name}/master.m3u8")
}

/// Writes the marks and pages of each lesson into the courses of `folder`. Returns the number of lessons.
pub(crate) fn write_plans(folder: &Path) -> Outcome<usize> {
    let mut count = 0;
    for course in course::read_courses(folder)? {
        let file = folder.join(format!("{}.yaml", course.id));
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        count += course.lessons().count();
        let planned = planned(&text, &course);
        if planned != text {
            fs::write(&file, planned).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    Ok(count)
}

/// Returns the text of a course's file with the marks and pages of its lessons replaced.
///
/// Lessons are recognised by their `duration`, as laid out in the demo's files. Everything else stays
/// unchanged, comments included.
fn planned(text: &str, course: &Course) -> String {
    let mut lessons = course.lessons();
    let mut planned = String::new();
    let mut skips = false;
    for line in text.lines() {
        let name = line.trim_start();
        let indent = &line[..line.len() - name.len()];
        skips = ["video:", "marks:", "handouts:"].iter().any(|own| name.starts_with(own))
            || (skips && name.starts_with("- { kind: "));
        if skips || name.starts_with("media: { sample_video: ") {
            continue;
        }
        if name.starts_with("chapters:") {
            let [sample, orientation] = ["sample", "orientation"].map(|name| open_video(course.id, name));
            let _ = writeln!(planned, "media: {{ sample_video: {sample}, orientation: {orientation} }}");
        }
        if name.starts_with("duration:")
            && let Some(placed) = lessons.next()
        {
            let slides = slides(placed, placed.lesson.duration);
            let _ = writeln!(planned, "{indent}video: true\n{indent}marks: {}", marks(&slides));
            let _ = writeln!(planned, "{indent}handouts:");
            for Look { kind, .. } in LOOKS {
                let (count, pages) = (slides.len(), pages(&slides));
                let _ =
                    writeln!(planned, "{indent}  - {{ kind: {kind}, page_count: {count}, pages: {pages} }}");
            }
        }
        planned.push_str(line);
        planned.push('\n');
    }
    planned
}
