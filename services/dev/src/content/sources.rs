//! The content files of authors: links and pictures in texts, and the teacher of every course.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tooling::failure::{Doing as _, Outcome};

use super::site::Site;

/// A file of content.
pub(crate) struct Source {
    pub(super) path: PathBuf,
    pub(super) text: String,
}

impl Source {
    /// Whether the file is in a folder of this name.
    pub(super) fn is_in(&self, folder: &str) -> bool {
        self.path.parent().is_some_and(|parent| parent.ends_with(folder))
    }
}

/// Reads every YAML file below a folder, ordered by name.
pub(crate) fn read_sources(folder: &Path) -> Outcome<Vec<Source>> {
    let mut sources = Vec::new();
    let entries = fs::read_dir(folder).doing(|| format!("reading {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            sources.extend(read_sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            let text = fs::read_to_string(&path).doing(|| format!("reading {}", path.display()))?;
            sources.push(Source { path, text });
        }
    }
    Ok(sources)
}

/// Finds dead links and missing pictures in texts of a content folder.
pub(crate) fn faults(folder: &Path, sources: &[Source], site: &Site) -> Vec<String> {
    let mut faults = Vec::new();
    for Source { path, text } in sources {
        for (number, line) in (1..).zip(text.lines()) {
            let dead = links(line).filter_map(|href| site.find_link_fault(href, "/"));
            let missing = picture(line).filter(|name| !is_there(folder, path, name, site));
            let missing = missing.map(|name| format!("the picture {name} is missing"));
            faults.extend(dead.chain(missing).map(|fault| format!("{}:{number}: {fault}", path.display())));
        }
    }
    faults
}

/// Returns the targets of the links `[words](address)` in a line.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// Returns the picture that a line names, if its value is a file name of a picture.
fn picture(line: &str) -> Option<&str> {
    let (_, value) = line.split_once(": ")?;
    let value = value.trim().trim_matches(['"', '\'']);
    let kind = value.rsplit_once('.')?.1.to_ascii_lowercase();
    let is_name = !value.contains(char::is_whitespace) && !value.contains("://");
    (is_name && ["png", "jpg", "jpeg", "webp", "svg"].contains(&kind.as_str())).then_some(value)
}

/// Whether a picture exists beside the file that names it, among the figures of the folder, or in the site.
fn is_there(folder: &Path, file: &Path, name: &str, site: &Site) -> bool {
    if name.starts_with('/') {
        return site.missing_picture(name).is_none();
    }
    file.with_file_name(name).is_file() || folder.join("figures").join(name).is_file()
}

#[derive(Deserialize)]
struct Course {
    teacher: Option<u64>,
}

#[derive(Deserialize)]
struct Teachers {
    teachers: Vec<Teacher>,
}

#[derive(Deserialize)]
struct Teacher {
    id: u64,
}

/// Finds courses of a catalogue folder without a teacher, or with an unknown one.
pub(crate) fn without_teacher(folder: &Path, sources: &[Source]) -> Outcome<Vec<String>> {
    let courses = folder.join("courses");
    let of = |path: &Path| format!("reading {}", path.display());
    let mut known = HashSet::new();
    if let Some(Source { path, text }) =
        sources.iter().find(|source| source.path == folder.join("teachers.yaml"))
    {
        let Teachers { teachers } = serde_saphyr::from_str(text).doing(|| of(path))?;
        known.extend(teachers.iter().map(|teacher| teacher.id));
    }
    let mut faults = Vec::new();
    for Source { path, text } in sources.iter().filter(|source| source.path.starts_with(&courses)) {
        let course: Course = serde_saphyr::from_str(text).doing(|| of(path))?;
        match course.teacher {
            Some(teacher) if known.contains(&teacher) => {}
            Some(teacher) => {
                faults.push(format!("{}: the teacher {teacher} of this course is unknown", path.display()));
            }
            None => faults.push(format!("{}: the course has no teacher", path.display())),
        }
    }
    Ok(faults)
}
