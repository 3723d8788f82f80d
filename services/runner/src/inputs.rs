//! Whether what a step works on has changed since it was last done.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use tooling::failure::{Doing as _, Outcome};

/// A number that changes with the name or the content of any file under `roots` that `wanted` takes. A root may be a
/// file; what is not there counts as empty.
pub fn stamp(roots: &[&Path], wanted: &dyn Fn(&Path) -> bool) -> Outcome<u64> {
    let mut hasher = DefaultHasher::new();
    for root in roots {
        let mut files = Vec::new();
        collect(root, wanted, &mut files)?;
        files.sort();
        for file in files {
            let content = fs::read(&file).doing(|| format!("reading {}", file.display()))?;
            // A root that is a file has no other name.
            let name = if file == *root { &file } else { file.strip_prefix(root).unwrap_or(&file) };
            hasher.write(name.as_os_str().as_encoded_bytes());
            hasher.write_usize(content.len());
            hasher.write(&content);
        }
        hasher.write_u8(0xff);
    }
    Ok(hasher.finish())
}

/// A number that changes when `program` is built again. Its content would say the same, but there is much of it to read.
pub fn build_stamp(program: &Path) -> Outcome<u64> {
    let metadata = fs::metadata(program).doing(|| format!("reading {}", program.display()))?;
    let mut hasher = DefaultHasher::new();
    metadata.len().hash(&mut hasher);
    metadata.modified()?.hash(&mut hasher);
    Ok(hasher.finish())
}

fn collect(path: &Path, wanted: &dyn Fn(&Path) -> bool, files: &mut Vec<PathBuf>) -> Outcome {
    if !wanted(path) {
        return Ok(());
    }
    match fs::read_dir(path) {
        Ok(entries) => {
            for entry in entries {
                collect(&entry?.path(), wanted, files)?;
            }
            Ok(())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => {
            files.push(path.to_owned());
            Ok(())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).doing(|| format!("reading {}", path.display())),
    }
}

/// Takes every file.
#[must_use]
pub fn all(_: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use tooling::scratch::Scratch;

    use super::*;

    #[test]
    fn a_stamp_changes_with_content_and_with_names_and_with_nothing_else() {
        let folder = Scratch::new();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("it writes");
        let now = || stamp(&[folder.path()], &all).expect("it reads");
        write("a", "1");
        let first = now();
        write("a", "1");
        assert_eq!(now(), first);
        write("a", "2");
        assert_ne!(now(), first);
        write("a", "1");
        write("b", "");
        assert_ne!(now(), first);
    }

    #[test]
    fn a_program_that_is_built_again_has_another_stamp() {
        let folder = Scratch::new();
        let program = folder.path().join("auth");
        let now = || build_stamp(&program).expect("it is there");
        fs::write(&program, "1").expect("it writes");
        let first = now();
        assert_eq!(now(), first);
        let file = fs::File::options().write(true).open(&program).expect("it is there");
        let written = file.metadata().and_then(|data| data.modified()).expect("it has an age");
        file.set_modified(written + std::time::Duration::from_millis(1)).expect("it is ours");
        assert_ne!(now(), first);
    }

    #[test]
    fn a_file_counts_with_its_name() {
        let folder = Scratch::new();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&a, "1").expect("it writes");
        let before = stamp(&[&a], &all).expect("it reads");
        fs::rename(&a, &b).expect("it moves");
        assert_ne!(stamp(&[&b], &all).expect("it reads"), before);
    }

    #[test]
    fn what_is_not_wanted_or_not_there_does_not_count() {
        let folder = Scratch::new();
        fs::create_dir(folder.path().join("node_modules")).expect("it is new");
        let missing = folder.path().join("missing");
        let now =
            || stamp(&[folder.path(), &missing], &|path| !path.ends_with("node_modules")).expect("it reads");
        let first = now();
        fs::write(folder.path().join("node_modules/x"), "1").expect("it writes");
        assert_eq!(now(), first);
    }
}
