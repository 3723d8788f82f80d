//! Decodes the drawn files as a player and a reader would.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up should panic")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use mp4_atom::{Any, Avc1, Codec, Decode as _, DecodeMaybe as _, Moof, Moov};
use openh264::decoder::Decoder;
use openh264::formats::YUVSource as _;

const FONTS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/node_modules/@expo-google-fonts/biz-udpgothic");
const COURSES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/courses");

/// A temporary folder of a test, deleted when dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn studio(arguments: &[&Path]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_studio"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn draw(courses: &Path, store: &Path) -> Output {
    studio(&[Path::new("draw"), courses, store, Path::new("--fonts"), Path::new(FONTS)]).output().unwrap()
}

/// Draws the courses of these tests. Returns the output.
fn drawn(courses: &Path, store: &Path) -> String {
    let output = draw(courses, store);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    said
}

/// Returns all files below a folder, except those that depend on the run.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                all.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    all
}

/// Returns the lines of a playlist that name files.
fn named(list: &str) -> Vec<&str> {
    list.lines().filter(|line| !line.starts_with('#')).collect()
}

/// Returns the parameter sets of a video's decoder, and its size.
fn parameters(init: &[u8]) -> (Vec<u8>, (u16, u16)) {
    let mut rest = init;
    while let Some(atom) = Any::decode_maybe(&mut rest).unwrap() {
        if let Any::Moov(Moov { trak, .. }) = atom {
            let Codec::Avc1(Avc1 { avcc, visual, .. }) = &trak[0].mdia.minf.stbl.stsd.codecs[0] else {
                panic!("the video is not H.264");
            };
            let start = [0, 0, 0, 1].as_slice();
            let [sps, pps] = [&avcc.sequence_parameter_sets[0], &avcc.picture_parameter_sets[0]];
            return ([start, sps, start, pps].concat(), (visual.width, visual.height));
        }
    }
    panic!("there are no decoder parameters");
}

/// Returns the start of a segment in ticks, and its samples: ticks, whether a key frame, bytes.
fn samples(segment: &[u8]) -> (u64, Vec<(u32, bool, Vec<u8>)>) {
    let mut rest = segment;
    let (mut begins, mut all, mut start) = (0, Vec::new(), 0);
    while !rest.is_empty() {
        let at = segment.len() - rest.len();
        match Any::decode(&mut rest).unwrap() {
            Any::Moof(Moof { traf, .. }) => {
                begins = traf[0].tfdt.as_ref().unwrap().base_media_decode_time;
                let length = traf[0].tfhd.default_sample_duration.unwrap();
                let run = &traf[0].trun[0];
                start = at + usize::try_from(run.data_offset.unwrap()).unwrap();
                let mp4_atom::TrunSamples::Explicit(entries) = &run.samples else {
                    panic!("each sample has a size");
                };
                for entry in entries {
                    let end = start + usize::try_from(entry.size.unwrap()).unwrap();
                    let is_whole = entry.flags.unwrap() & 0x0001_0000 == 0;
                    all.push((length, is_whole, segment[start..end].to_vec()));
                    start = end;
                }
            }
            Any::Styp(_) | Any::Mdat(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(start, segment.len(), "the samples fill the file");
    (begins, all)
}

/// Converts a sample to a byte stream, each unit after a start code.
fn stream(mut sample: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some((length, rest)) = sample.split_first_chunk::<4>() {
        let (unit, rest) = rest.split_at(u32::from_be_bytes(*length).try_into().unwrap());
        bytes.extend([0, 0, 0, 1]);
        bytes.extend(unit);
        sample = rest;
    }
    bytes
}

#[test]
fn a_video_has_the_length_of_its_lesson_and_every_segment_is_seekable() {
    let scratch = Scratch::new("video");
    drawn(Path::new(COURSES), &scratch.path("store"));
    for (lesson, duration) in [
        ("lesson/201010101", 301),
        ("lesson/201010102", 67),
        ("open/course/201/sample", 90),
        ("open/course/201/orientation", 75),
    ] {
        let folder = scratch.path("store").join(lesson);
        let master = fs::read_to_string(folder.join("master.m3u8")).unwrap();
        assert_eq!(named(&master), ["360p/index.m3u8", "720p/index.m3u8"]);
        for (list, size) in named(&master).into_iter().zip([(640, 360), (1280, 720)]) {
            assert!(master.contains(&format!("RESOLUTION={}x{},", size.0, size.1)), "{master}");
            let folder = folder.join(list).parent().unwrap().to_owned();
            let list = fs::read_to_string(folder.join("index.m3u8")).unwrap();
            let (parameters, coded) = parameters(&fs::read(folder.join("init.mp4")).unwrap());
            assert_eq!(coded, size);
            let told: Vec<u64> = list
                .lines()
                .filter_map(|line| line.strip_prefix("#EXTINF:")?.strip_suffix(".000,")?.parse().ok())
                .collect();
            let mut ticks = 0;
            for (name, told) in named(&list).into_iter().zip(&told) {
                let (begins, samples) = samples(&fs::read(folder.join(name)).unwrap());
                assert_eq!(begins, ticks, "{lesson}: {name} follows the previous segment");
                let whole: Vec<bool> = samples.iter().map(|(_, is_whole, _)| *is_whole).collect();
                assert!(whole[0] && whole[1..].iter().all(|is_whole| !is_whole), "{lesson}: {name}");
                let length: u64 = samples.iter().map(|(ticks, ..)| u64::from(*ticks)).sum();
                assert_eq!(length, told * 1000, "{lesson}: {name} has the length in the playlist");
                ticks += length;
            }
            assert_eq!(ticks, duration * 1000, "{lesson}");

            // Decoding starts within the video: each frame shows the picture of the first.
            let end = fs::read(folder.join(named(&list).last().unwrap())).unwrap();
            let mut decoder = Decoder::new().unwrap();
            decoder.decode(&parameters).unwrap();
            let mut seen = Vec::new();
            for (_, _, sample) in samples(&end).1 {
                let picture = decoder.decode(&stream(&sample)).unwrap().expect("a picture for each sample");
                assert_eq!(picture.dimensions(), (usize::from(size.0), usize::from(size.1)));
                seen.push(picture.y().to_vec());
            }
            assert!(seen.iter().all(|picture| *picture == seen[0]), "{lesson}");
            assert!(seen[0].iter().any(|light| *light < 60), "{lesson}: the picture is not blank");
        }
    }
}

/// Parses `00:01:02.345` to milliseconds.
fn moment(text: &str) -> u32 {
    let (hours, rest) = text.split_once(':').unwrap();
    let (minutes, rest) = rest.split_once(':').unwrap();
    let (seconds, rest) = rest.split_once('.').unwrap();
    let [hours, minutes, seconds, rest] =
        [hours, minutes, seconds, rest].map(|part| part.parse::<u32>().unwrap());
    ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
}

#[test]
fn captions_do_not_overlap_and_stay_within_the_lesson() {
    let scratch = Scratch::new("captions");
    drawn(Path::new(COURSES), &scratch.path("store"));
    for (lesson, duration) in [
        ("lesson/201010101", 301),
        ("lesson/201010102", 67),
        ("open/course/201/sample", 90),
        ("open/course/201/orientation", 75),
    ] {
        let text = fs::read_to_string(scratch.path("store").join(lesson).join("ja.vtt")).unwrap();
        let mut cues = text.split("\n\n");
        assert_eq!(cues.next(), Some("WEBVTT"));
        let mut before = 0;
        let mut count = 0;
        for cue in cues {
            let (times, sentence) = cue.split_once('\n').unwrap();
            let (from, until) = times.split_once(" --> ").unwrap();
            let (from, until) = (moment(from), moment(until));
            assert!(before <= from && from + 2000 <= until && until <= duration * 1000, "{lesson}: {cue}");
            assert!(!sentence.trim().is_empty() && !sentence.trim().contains('\n'), "{cue}");
            before = until;
            count += 1;
        }
        assert!(count >= 15, "{lesson}: {count}");
        assert!(!text.contains("<I"), "{lesson}");
    }
}

#[test]
fn pages_match_the_slides_and_a_course_bundles_the_pages_of_its_lessons() {
    let scratch = Scratch::new("pages");
    drawn(Path::new(COURSES), &scratch.path("store"));
    for (folder, count) in [("lesson/201010101", 8), ("lesson/201010102", 8), ("course/201", 16)] {
        for name in ["textbook.pdf", "whiteboard.pdf"] {
            let bytes = fs::read(scratch.path("store").join(folder).join(name)).unwrap();
            assert!(bytes.starts_with(b"%PDF-"));
            let text = String::from_utf8_lossy(&bytes);
            assert!(text.contains(&format!("/Count {count}/")), "{folder}/{name}");
        }
    }
}

#[test]
fn each_page_of_a_lesson_is_a_picture_too() {
    let scratch = Scratch::new("pictures");
    drawn(Path::new(COURSES), &scratch.path("store"));
    for (kind, size) in [("textbook", (840, 1189)), ("whiteboard", (960, 540))] {
        let folder = scratch.path("store").join("lesson/201010101").join(kind);
        let mut seen = Vec::new();
        for page in 1..=8 {
            let bytes = fs::read(folder.join(format!("{page}.png"))).unwrap();
            assert!(bytes.len() < 64 * 1024, "{kind} {page}: {} bytes", bytes.len());
            let mut decoder = png::Decoder::new(std::io::Cursor::new(&bytes));
            decoder.set_transformations(png::Transformations::EXPAND);
            let mut picture = decoder.read_info().unwrap();
            assert_eq!((picture.info().width, picture.info().height), size, "{kind} {page}");
            let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
            picture.next_frame(&mut pixels).unwrap();
            assert!(
                pixels.starts_with(&[255; 3]) && pixels.ends_with(&[255; 3]),
                "{kind} {page}: the edges are white"
            );
            let dark = pixels.chunks_exact(3).filter(|pixel| pixel.iter().all(|part| *part < 0x40)).count();
            assert!(dark > 500, "{kind} {page}: the page is not blank");
            seen.push(pixels);
        }
        assert!(!folder.join("9.png").exists());
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 8, "all pages of the {kind} differ");
    }
}

#[test]
fn output_is_reproducible_and_only_changes_are_drawn_again() {
    let scratch = Scratch::new("again");
    let courses = scratch.path("courses");
    fs::create_dir_all(&courses).unwrap();
    let file = courses.join("201.yaml");
    let text = fs::read_to_string(Path::new(COURSES).join("201.yaml")).unwrap();
    fs::write(&file, &text).unwrap();
    let store = scratch.path("store");
    assert_eq!(drawn(&courses, &store), "5 drawn, 0 as they were\n");
    let first = files(&store);
    assert_eq!(drawn(&courses, &store), "0 drawn, 5 as they were\n");
    drawn(&courses, &scratch.path("other"));
    assert_eq!(files(&scratch.path("other")), first);

    // The lesson, and the bundle that contains it.
    fs::write(&file, text.replace("duration: 67", "duration: 68")).unwrap();
    assert_eq!(drawn(&courses, &store), "1 drawn, 4 as they were\n");
    fs::write(&file, text.replace("文の主語を", "主語を")).unwrap();
    assert_eq!(drawn(&courses, &store), "2 drawn, 3 as they were\n");
}

#[test]
fn a_killed_run_leaves_complete_folders_only_and_the_next_run_finishes() {
    let scratch = Scratch::new("killed");
    let store = scratch.path("store");
    drawn(Path::new(COURSES), &scratch.path("whole"));
    let whole = files(&scratch.path("whole"));
    let mut command =
        studio(&[Path::new("draw"), Path::new(COURSES), &store, Path::new("--fonts"), Path::new(FONTS)]);
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    // Wait until a folder is being written, or everything is written.
    while !store.join(".next").exists() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    for folder in [
        "lesson/201010101",
        "lesson/201010102",
        "course/201",
        "open/course/201/sample",
        "open/course/201/orientation",
    ] {
        if store.join(folder).exists() {
            assert_eq!(files(&store.join(folder)), files(&scratch.path("whole").join(folder)), "{folder}");
        }
    }
    drawn(Path::new(COURSES), &store);
    assert_eq!(files(&store), whole);
}

#[test]
fn a_plan_matches_the_drawn_files_and_leaves_the_rest_unchanged() {
    let scratch = Scratch::new("plan");
    let file = scratch.path("201.yaml");
    let before = fs::read_to_string(Path::new(COURSES).join("201.yaml")).unwrap();
    fs::write(&file, &before).unwrap();
    for _ in 0..2 {
        assert!(studio(&[Path::new("plan"), &scratch.path("")]).output().unwrap().status.success());
    }
    let planned = fs::read_to_string(&file).unwrap();
    assert!(planned.contains(
        "media: { sample_video: /api/media/open/course/201/sample/master.m3u8, orientation: /api/media/open/course/201/orientation/master.m3u8 }\n"
    ));
    assert_eq!(planned.matches("            video: true\n").count(), 2);
    assert!(
        planned.contains("marks: [{ at: 0, name: はじめに }, { at: 15, name: このレッスンの目標 }, "),
        "{planned}"
    );
    assert!(
        planned.contains(
            "- { kind: whiteboard, page_count: 8, pages: [{ page: 1, at: 0 }, { page: 2, at: 15 }, "
        )
    );
    for line in before.lines() {
        assert!(planned.contains(line), "{line}");
    }
}

/// The content that `cargo dev up` imports agrees with the drawn lessons on times and pages.
#[test]
fn the_demo_is_planned() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lms/demo/courses");
    let scratch = Scratch::new("demo");
    for folder in ["courses", "figures"] {
        fs::create_dir_all(scratch.path(folder)).unwrap();
        for (name, bytes) in files(&demo.join("..").join(folder)) {
            fs::write(scratch.path(folder).join(name), bytes).unwrap();
        }
    }
    assert!(studio(&[Path::new("plan"), &scratch.path("courses")]).output().unwrap().status.success());
    for (name, bytes) in files(&demo) {
        let planned = fs::read(scratch.path("courses").join(&name)).unwrap();
        let told = "run `cargo run --bin studio -- plan services/lms/demo/courses`";
        assert!(planned == bytes, "{} is out of date: {told}", name.display());
    }
}

#[test]
fn a_question_has_its_picture_at_its_url() {
    let scratch = Scratch::new("questions");
    let courses = scratch.path("courses");
    fs::create_dir_all(&courses).unwrap();
    let text = fs::read_to_string(Path::new(COURSES).join("201.yaml")).unwrap();
    let asked = |id: u64| {
        let url = format!("/api/media/open/course/201/question/{id}.png");
        let question = format!("{{ id: {id}, picture: {{ url: {url}, alt: 数直線 }} }}");
        text.replace("questions: []", &format!("questions: [{question}]"))
    };
    fs::write(courses.join("201.yaml"), asked(10_201_010_101)).unwrap();
    let figures = scratch.path("figures");
    fs::create_dir_all(&figures).unwrap();
    let number_line = |end: i8| {
        format!(
            "questions: {{ 10201010101: {{ number_line: {{ range: [-6, 6], unit: 気温（℃）, \
             arrows: [{{ from: 0, to: {end}, text: ？ }}] }} }} }}"
        )
    };
    fs::write(figures.join("201.yaml"), number_line(-5)).unwrap();
    drawn(&courses, &scratch.path("store"));
    let bytes = fs::read(scratch.path("store/open/course/201/question/10201010101.png")).unwrap();
    let picture = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
    assert_eq!((picture.info().width, picture.info().height), (1136, 496));
    fs::write(figures.join("201.yaml"), number_line(-4)).unwrap();
    drawn(&courses, &scratch.path("store"));
    let other = fs::read(scratch.path("store/open/course/201/question/10201010101.png")).unwrap();
    assert_ne!(other, bytes, "another figure is another picture");

    fs::write(courses.join("201.yaml"), asked(7)).unwrap();
    let output = draw(&courses, &scratch.path("store"));
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "studio: figures/201.yaml has no figure of question 7\n");
}

#[test]
fn a_lesson_that_is_too_short_is_an_error() {
    let scratch = Scratch::new("short");
    let text = fs::read_to_string(Path::new(COURSES).join("201.yaml")).unwrap();
    fs::create_dir_all(scratch.path("courses")).unwrap();
    fs::write(scratch.path("courses/201.yaml"), text.replace("duration: 67", "duration: 5")).unwrap();
    let output = draw(&scratch.path("courses"), &scratch.path("store"));
    assert!(!output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "studio: lesson 201010102 takes 5 s: 60 s is the shortest to draw\n");
}
