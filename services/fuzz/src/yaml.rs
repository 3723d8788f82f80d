//! Content that an operator imports.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::{env, fs, process};

/// A folder of this process.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = env::temp_dir().join(format!("konomana-fuzz-{}", process::id()));
    for part in ["lms/courses", "desk/success", "commerce"] {
        fs::create_dir_all(folder.join(part)).unwrap_or_else(|error| panic!("{part}: {error}"));
    }
    folder
});

/// The first byte says whose file the rest is. Faults are reported, however strange the file.
pub(crate) fn import(data: &[u8]) {
    let Some((first, text)) = data.split_first() else { return };
    let (file, read): (&str, fn(&std::path::Path)) = match first % 4 {
        0 => ("commerce/products.yaml", commerce::fuzzing::read_folder),
        1 => ("desk/notices.yaml", desk::fuzzing::read_folder),
        2 => ("lms/teachers.yaml", lms::fuzzing::read_folder),
        _ => ("lms/courses/101.yaml", lms::fuzzing::read_folder),
    };
    let file = FOLDER.join(file);
    fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let service = file.strip_prefix(&*FOLDER).ok().and_then(|path| path.iter().next());
    read(&FOLDER.join(service.unwrap_or_default()));
}
