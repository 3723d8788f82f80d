//! Texts that commands read.

use std::io::Read as _;
use std::path::Path;

use kit::Failure;

/// Longest name of a teacher in characters.
const TEACHER_LIMIT: usize = 50;

/// Reads a text from a file, or from the standard input for `-`. Line ends become LF, and surrounding space is removed.
///
/// # Errors
///
/// The file is not readable, or the text is empty, longer than `limit` characters or has a NUL character. The message calls
/// it `name`.
pub(crate) fn read_text(file: &Path, name: &str, limit: usize) -> Result<String, Failure> {
    let mut text = String::new();
    if file == Path::new("-") {
        std::io::stdin().read_to_string(&mut text)?;
    } else {
        text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    let text = text.replace("\r\n", "\n").trim().to_owned();
    match text.chars().count() {
        0 => Err(format!("{name} is empty").into()),
        length if length > limit => {
            Err(format!("{name} has {length} characters: shorten it to {limit}").into())
        }
        _ if text.contains('\0') => Err(format!("{name} contains a NUL character").into()),
        _ => Ok(text),
    }
}

/// Checks the name of a teacher. The site adds 先生 to a name, so it is removed here.
pub(crate) fn check_teacher(name: &str) -> Result<&str, Failure> {
    let name = name.trim();
    let name = name.strip_suffix("先生").unwrap_or(name).trim_end();
    let is_name = !name.is_empty() && name.chars().count() <= TEACHER_LIMIT && !forms::has_controls(name);
    if is_name { Ok(name) } else { Err("--teacher must be a name of 1 to 50 characters".into()) }
}
