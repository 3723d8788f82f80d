//! Draws all lessons of a folder into a store, on all cores.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fs, thread};

use resvg::usvg::{Options, Tree, fontdb};

use crate::course::{self, Course, Placed};
use crate::look::LOOKS;
use crate::page::{self, Part};
use crate::pdf::{self, Fonts};
use crate::plan::{self, Slide};
use crate::sheet::Sheet;
use crate::store::{Files, Store, digest};
use crate::video::{self, Encoded, RENDITIONS, Rendition, Stills};
use crate::{Outcome, captions, hls, picture, slide};

/// Length of a sample video in seconds.
const SAMPLE: u32 = 90;

/// Length of an introduction video in seconds.
const ORIENTATION: u32 = 75;

/// Width of the picture of a question in pixels.
const QUESTION: u16 = 1136;

/// Size of the poster image.
const POSTER: Rendition = RENDITIONS[1];

/// The sources that determine the output. If any of them changes, everything is drawn again.
const WAYS: [&str; 14] = [
    include_str!("captions.rs"),
    include_str!("course_figures.rs"),
    include_str!("draw.rs"),
    include_str!("figure.rs"),
    include_str!("hls.rs"),
    include_str!("page.rs"),
    include_str!("pdf.rs"),
    include_str!("picture.rs"),
    include_str!("plan.rs"),
    include_str!("sheet.rs"),
    include_str!("slide.rs"),
    include_str!("text.rs"),
    include_str!("video.rs"),
    include_str!("words.rs"),
];

/// Counts of a run.
pub(crate) struct DrawSummary {
    pub(crate) drawn: usize,
    pub(crate) kept: usize,
}

/// A unit of work.
enum Job<'a> {
    /// The video and pages of a lesson.
    Lesson(Placed<'a>),
    /// The sample video of a course: a short version of its first lesson.
    Sample(Placed<'a>),
    /// The introduction video of a course.
    Orientation(&'a Course),
    /// The pictures of a course's questions with these ids.
    Questions(&'a Course, Vec<i64>),
    /// The bundled pages of a course.
    Bundle(&'a Course),
}

/// A slide in each rendition.
type Pictures = Vec<Arc<Encoded>>;

/// Shared data of all jobs.
struct Tools {
    options: Options<'static>,
    fonts: Fonts,
    stills: Vec<Stills>,
    /// Slides that several lessons share, by SVG.
    common: Mutex<HashMap<String, Pictures>>,
    /// Digest of the font and of `WAYS`.
    digest: u64,
}

/// Draws everything that is new or has changed.
pub(crate) fn draw_all(courses: &Path, store: &Path, fonts: &Path) -> Outcome<DrawSummary> {
    let courses = course::read_courses(courses)?;
    let tools = Tools::new(fonts)?;
    let store = Store::open(store)?;
    let mut jobs: Vec<(Job<'_>, String, u64)> = Vec::new();
    for course in &courses {
        let all: Vec<_> = course.lessons().collect();
        let open = |name: &str| format!("open/course/{}/{name}", course.id);
        if let Some(first) = all.first() {
            jobs.push((Job::Sample(*first), open("sample"), tools.digest_of(&all[..1], SAMPLE)));
        }
        let slides = plan::orientation(course, ORIENTATION);
        jobs.push((Job::Orientation(course), open("orientation"), tools.digest_said(&slides, "")));
        let pictured = course.pictured();
        if !pictured.is_empty() {
            let digest = tools.digest_said(&[], &format!("{pictured:?}{}", course.figures.text));
            jobs.push((Job::Questions(course, pictured), open("question"), digest));
        }
        jobs.push((Job::Bundle(course), format!("course/{}", course.id), tools.digest_of(&all, 0)));
        jobs.extend(all.iter().map(|placed| {
            let name = format!("lesson/{}", placed.lesson.id);
            (Job::Lesson(*placed), name, tools.digest_of(&[*placed], placed.lesson.duration))
        }));
    }
    let count = jobs.len();
    jobs.retain(|(_, name, digest)| !store.contains(name, *digest));
    share_out(&jobs, &|(job, name, digest)| store.write(name, *digest, tools.draw(job)?))?;
    Ok(DrawSummary { drawn: jobs.len(), kept: count - jobs.len() })
}

/// Runs `work` for each of `jobs` on all cores. Stops at the first failure.
fn share_out<T: Sync>(jobs: &[T], work: &(impl Fn(&T) -> Outcome + Sync)) -> Outcome {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Ok(()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from).min(jobs.len()) {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(error) = work(job) {
                        next.store(jobs.len(), Ordering::Relaxed);
                        *failed.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
                    }
                }
            });
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Tools {
    fn new(folder: &Path) -> Outcome<Self> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let regular = read("400Regular/BIZUDPGothic_400Regular.ttf")?;
        let bold = read("700Bold/BIZUDPGothic_700Bold.ttf")?;
        let ways = WAYS.map(str::as_bytes);
        let digest = digest(&[&[regular.as_slice(), &bold], ways.as_slice()].concat());
        let mut database = fontdb::Database::new();
        database.load_font_data(regular.clone());
        database.load_font_data(bold.clone());
        Ok(Self {
            options: Options { fontdb: Arc::new(database), ..Options::default() },
            fonts: Fonts::new(regular, bold)?,
            stills: RENDITIONS.into_iter().map(Stills::new).collect::<Outcome<_>>()?,
            common: Mutex::default(),
            digest,
        })
    }

    /// Digest of everything shown and spoken on the slides of these lessons.
    fn digest_of(&self, lessons: &[Placed<'_>], duration: u32) -> u64 {
        let mut beside = duration.to_string();
        let mut slides = Vec::new();
        for placed in lessons {
            slides.extend(plan::slides(*placed, duration));
            beside.push_str(&placed.course.category);
            if !placed.course.figures.find_examples(placed.lesson.id).is_empty() {
                beside.push_str(&placed.course.figures.text);
            }
            beside.extend(placed.unit.lessons.iter().map(|lesson| lesson.name.as_str()));
        }
        self.digest_said(&slides, &beside)
    }

    /// Digest of the spoken text of the slides and of `beside`.
    fn digest_said(&self, slides: &[Slide], beside: &str) -> u64 {
        let said: String = slides.iter().flat_map(|slide| &slide.said).map(String::as_str).collect();
        digest(&[&self.digest.to_le_bytes(), beside.as_bytes(), said.as_bytes()])
    }

    fn draw(&self, job: &Job<'_>) -> Outcome<Files> {
        match job {
            Job::Lesson(placed) => {
                let slides = plan::slides(*placed, placed.lesson.duration);
                let mut files = self.video(placed.course, &slides)?;
                let part = part(*placed, &slides);
                files.extend(self.pages(&placed.lesson.name, &[part])?);
                files.extend(self.pictures(part)?);
                Ok(files)
            }
            Job::Sample(placed) => self.video(placed.course, &plan::slides(*placed, SAMPLE)),
            Job::Orientation(course) => self.video(course, &plan::orientation(course, ORIENTATION)),
            Job::Questions(course, ids) => ids.iter().map(|id| self.question(course, *id)).collect(),
            Job::Bundle(course) => {
                let lessons: Vec<_> =
                    course.lessons().map(|placed| (placed, plan::slides(placed, 0))).collect();
                let parts: Vec<_> = lessons.iter().map(|(placed, slides)| part(*placed, slides)).collect();
                self.pages(&course.name, &parts)
            }
        }
    }

    fn video(&self, course: &Course, slides: &[Slide]) -> Outcome<Files> {
        let (mut poster, mut shown) = (None, Vec::new());
        for (slide, number) in slides.iter().zip(1..) {
            let svg = slide::svg(slide, number, slides.len(), &course.name);
            if slide.is_common {
                shown.push(self.common(svg)?);
                continue;
            }
            let tree = picture::tree(&svg, &self.options)?;
            if poster.is_none() {
                poster = Some(picture::png(&picture::pixmap(&tree, POSTER.width)?)?);
            }
            shown.push(in_each_size(&tree)?);
        }
        let (mut files, mut streams) = (Files::new(), Vec::new());
        for ((size, rendition), stills) in RENDITIONS.into_iter().enumerate().zip(&self.stills) {
            let pictures: Vec<_> = shown.iter().map(|sizes| Arc::clone(&sizes[size])).collect();
            streams.push(hls::stream(rendition, slides, &pictures, stills)?);
        }
        files.push(("master.m3u8".to_owned(), hls::master(&streams).into_bytes()));
        files.push(("ja.vtt".to_owned(), captions::vtt(slides).into_bytes()));
        files.extend(poster.map(|bytes| ("poster.png".to_owned(), bytes)));
        for stream in streams {
            let folder = stream.rendition.name;
            files.push((format!("{folder}/index.m3u8"), stream.playlist.into_bytes()));
            files.push((format!("{folder}/init.mp4"), stream.init));
            files.extend(
                stream
                    .segments
                    .into_iter()
                    .zip(0..)
                    .map(|(bytes, number): (_, u32)| (format!("{folder}/{number}.m4s"), bytes)),
            );
        }
        Ok(files)
    }

    /// Returns the pictures of a slide that several lessons share. They are drawn once.
    fn common(&self, svg: String) -> Outcome<Pictures> {
        let drawn = self.common.lock().unwrap_or_else(PoisonError::into_inner).get(&svg).cloned();
        if let Some(drawn) = drawn {
            return Ok(drawn);
        }
        let pictures = in_each_size(&picture::tree(&svg, &self.options)?)?;
        self.common.lock().unwrap_or_else(PoisonError::into_inner).insert(svg, pictures.clone());
        Ok(pictures)
    }

    /// Returns the bundled pages of lessons.
    fn pages(&self, title: &str, parts: &[Part<'_>]) -> Outcome<Files> {
        let mut files = Files::new();
        for look in LOOKS {
            let names = parts.iter().map(|part| part.name);
            let parts: Vec<_> = names.zip(page::sheets(parts, look)).collect();
            files.push((format!("{}.pdf", look.kind), pdf::document(title, &parts, &self.fonts)?));
        }
        Ok(files)
    }

    /// Returns the picture of a question.
    fn question(&self, course: &Course, id: i64) -> Outcome<(String, Vec<u8>)> {
        let missing = || format!("figures/{}.yaml has no figure of question {id}", course.id);
        let sheet = course.figures.draw_question(id).ok_or_else(missing)?;
        Ok((format!("{id}.png"), self.picture(&sheet, QUESTION)?))
    }

    /// Renders a sheet with this width in pixels.
    fn picture(&self, sheet: &Sheet, pixels: u16) -> Outcome<Vec<u8>> {
        let tree = picture::tree(&sheet.svg(), &self.options)?;
        picture::png(&picture::pixmap(&tree, pixels)?)
    }

    /// Returns the pages of a lesson, one picture each.
    fn pictures(&self, part: Part<'_>) -> Outcome<Files> {
        let mut files = Files::new();
        for look in LOOKS {
            for (sheet, number) in page::sheets(&[part], look).iter().flatten().zip(1..) {
                let picture = self.picture(sheet, look.pixels)?;
                files.push((format!("{}/{number}.png", look.kind), picture));
            }
        }
        Ok(files)
    }
}

fn in_each_size(tree: &Tree) -> Outcome<Pictures> {
    RENDITIONS.into_iter().map(|rendition| Ok(Arc::new(video::encode(tree, rendition)?))).collect()
}

fn part<'a>(placed: Placed<'a>, slides: &'a [Slide]) -> Part<'a> {
    Part { name: &placed.lesson.name, course: &placed.course.name, slides }
}
