//! Detects whether the inputs of a step have changed since it last ran.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use tooling::failure::{Doing as _, Outcome};

/// A hash of the names and contents of all files under `roots` that `wanted` accepts. A root may be a file. A missing
/// root counts as empty.
pub fn stamp(roots: &[&Path], wanted: &dyn Fn(&Path) -> bool) -> Outcome<u64> {
    let mut hasher = DefaultHasher::new();
    for root in roots {
        let mut files = Vec::new();
        collect(root, wanted, &mut files)?;
        files.sort();
        for file in files {
            let content = fs::read(&file).doing(|| format!("reading {}", file.display()))?;
            // A root that is a file has no relative path.
            let name = if file == *root { &file } else { file.strip_prefix(root).unwrap_or(&file) };
            hasher.write(name.as_os_str().as_encoded_bytes());
            hasher.write_usize(content.len());
            hasher.write(&content);
        }
        hasher.write_u8(0xff);
    }
    Ok(hasher.finish())
}

/// A hash that changes when `program` is rebuilt. It uses the file's metadata, because hashing the content is slow.
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

/// Accepts every file.
#[must_use]
pub fn all(_: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use tooling::scratch::Scratch;

    use super::*;

    #[test]
    fn a_stamp_changes_only_with_contents_and_names() {
        let folder = Scratch::new();
        let write =
            |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("write the file");
        let now = || stamp(&[folder.path()], &all).expect("read the inputs");
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
    fn a_rebuilt_program_has_another_stamp() {
        let folder = Scratch::new();
        let program = folder.path().join("auth");
        let now = || build_stamp(&program).expect("the file exists");
        fs::write(&program, "1").expect("write the file");
        let first = now();
        assert_eq!(now(), first);
        let file = fs::File::options().write(true).open(&program).expect("the file exists");
        let written = file.metadata().and_then(|data| data.modified()).expect("read the modification time");
        file.set_modified(written + std::time::Duration::from_millis(1)).expect("set the modification time");
        assert_ne!(now(), first);
    }

    #[test]
    fn a_stamp_depends_on_the_file_name() {
        let folder = Scratch::new();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&a, "1").expect("write the file");
        let before = stamp(&[&a], &all).expect("read the inputs");
        fs::rename(&a, &b).expect("rename the file");
        assert_ne!(stamp(&[&b], &all).expect("read the inputs"), before);
    }

    #[test]
    fn unwanted_and_missing_files_are_ignored() {
        let folder = Scratch::new();
        fs::create_dir(folder.path().join("node_modules")).expect("create the folder");
        let missing = folder.path().join("missing");
        let now = || {
            stamp(&[folder.path(), &missing], &|path| !path.ends_with("node_modules"))
                .expect("read the inputs")
        };
        let first = now();
        fs::write(folder.path().join("node_modules/x"), "1").expect("write the file");
        assert_eq!(now(), first);
    }
}
