//! One file of a folder, read and checked.

use serde::de::DeserializeOwned;
use serde_saphyr::Spanned;

use super::{Faults, Folder};

/// A file that is validated.
pub struct File<'a> {
    /// Its path within the folder.
    pub name: &'a str,
    /// Collects its faults.
    pub faults: &'a mut Faults,
}

impl File<'_> {
    /// Reads and parses the file. A failure is added as a fault and returns `None`.
    pub fn read_document<T: DeserializeOwned>(&mut self, folder: &Folder) -> Option<T> {
        let text = match folder.read_file(self.name) {
            Ok(text) => text,
            Err(error) => {
                self.faults.add_whole(self.name, "file", error.to_string());
                return None;
            }
        };
        let options = serde_saphyr::options! { with_snippet: false };
        serde_saphyr::from_str_with_options(&text, options)
            .inspect_err(|error| {
                let (line, column) =
                    error.location().map_or((1, 1), |location| (location.line(), location.column()));
                let reason = error.to_string();
                // The message already begins with the line number.
                let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason);
                self.faults.add(self.name, line, key(&text, line, column), reason);
            })
            .ok()
    }

    /// Adds a fault of `field` at the location of `value`.
    pub fn fault<T>(&mut self, value: &Spanned<T>, field: &str, reason: impl Into<String>) {
        self.faults.add(self.name, value.referenced.line(), field, reason);
    }

    /// Returns a text. A text that is empty or has control characters is a fault.
    pub fn text(&mut self, value: Spanned<String>, field: &str) -> String {
        if value.value.trim().is_empty() {
            self.fault(&value, field, "is empty");
        } else if value.value.chars().any(|sign| sign.is_control() && sign != '\n') {
            self.fault(&value, field, "holds a control character");
        }
        value.value
    }

    /// Returns one of `words`. Another word is a fault.
    pub fn one_of(&mut self, value: Spanned<String>, field: &str, words: &[&str]) -> String {
        if !words.contains(&value.value.as_str()) {
            self.fault(&value, field, format!("'{}' is none of {}", value.value, words.join(", ")));
        }
        value.value
    }

    /// Returns a list. An empty list is a fault.
    pub fn some<T>(&mut self, list: Spanned<Vec<T>>, field: &str) -> Vec<T> {
        if list.value.is_empty() {
            self.fault(&list, field, "is empty");
        }
        list.value
    }

    /// Returns an id. An id below 1 or in `taken` is a fault.
    pub fn id(&mut self, id: &Spanned<i64>, taken: &mut Vec<i64>) -> i64 {
        if id.value < 1 {
            self.fault(id, "id", "is not positive");
        } else if taken.contains(&id.value) {
            self.fault(id, "id", format!("{} is there twice", id.value));
        }
        taken.push(id.value);
        id.value
    }
}

/// Returns the sorted paths of the files in `part` of `folder`. A failure is added as a fault and returns no paths.
pub fn files(folder: &Folder, part: &str, faults: &mut Faults) -> Vec<String> {
    let mut names = match folder.list(part) {
        Ok(names) => names,
        Err(error) => {
            faults.add_whole(part, "folder", error.to_string());
            return Vec::new();
        }
    };
    names.sort();
    names
}

/// The key at or before a location in YAML, which names the faulty field.
fn key(text: &str, line: u64, column: u64) -> &str {
    let index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).saturating_sub(1);
    let line = text.lines().nth(index(line)).unwrap_or_default();
    let place = line.char_indices().nth(index(column)).map_or(line.len(), |(place, _)| place);
    let (before, at) = line.split_at(place);
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    match before.trim_end().strip_suffix(':') {
        Some(before) => before.rsplit(|sign| !is_word(sign)).next().unwrap_or_default(),
        None => at.split(|sign| !is_word(sign)).next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Page {
        id: Spanned<i64>,
        name: Spanned<String>,
        kind: Spanned<String>,
        parts: Spanned<Vec<i64>>,
    }

    /// The faults of a file with this text, a line each.
    fn faults(text: &str) -> Vec<String> {
        let folder = std::env::temp_dir().join(format!("content-{}", uuid::Uuid::now_v7()));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("page.yaml"), text).unwrap();
        let mut faults = Faults::default();
        let mut file = File { name: "page.yaml", faults: &mut faults };
        if let Some(page) = file.read_document::<Page>(&Folder::on_disk(&folder)) {
            file.id(&page.id, &mut vec![7]);
            file.text(page.name, "name");
            file.one_of(page.kind, "kind", &["old", "new"]);
            file.some(page.parts, "parts");
        }
        fs::remove_dir_all(&folder).unwrap();
        let told = faults.into_result().map_err(|faults| faults.to_string()).err().unwrap_or_default();
        told.lines().skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn a_valid_file_has_no_faults() {
        assert!(faults("id: 1\nname: 名前\nkind: new\nparts: [1]\n").is_empty());
    }

    #[test]
    fn every_fault_has_its_line_and_field() {
        assert_eq!(
            faults("id: 7\nname: \"a\\u0007\"\nkind: odd\nparts: []\n"),
            [
                "page.yaml:1: id: 7 is there twice",
                "page.yaml:2: name: holds a control character",
                "page.yaml:3: kind: 'odd' is none of old, new",
                "page.yaml:4: parts: is empty",
            ]
        );
        assert_eq!(
            faults("id: 0\nname: ' '\nkind: new\nparts: [1]\n"),
            ["page.yaml:1: id: is not positive", "page.yaml:2: name: is empty"]
        );
    }

    #[test]
    fn an_invalid_file_is_reported_with_its_location() {
        let wrong_type = faults("id: one\nname: a\nkind: new\nparts: [1]\n");
        assert!(wrong_type[0].starts_with("page.yaml:1: id: "), "{wrong_type:?}");
        let unknown = faults("id: 1\nname: a\nkind: new\nparts: [1]\nextra: 2\n");
        assert!(unknown[0].starts_with("page.yaml:5: extra: "), "{unknown:?}");
    }

    #[test]
    fn a_missing_file_or_folder_is_one_fault() {
        let mut all = Faults::default();
        let nowhere = Folder::on_disk("/nowhere");
        assert!(File { name: "page.yaml", faults: &mut all }.read_document::<Page>(&nowhere).is_none());
        assert!(files(&nowhere, "parts", &mut all).is_empty());
        let told = all.into_result().unwrap_err().to_string();
        assert_eq!(
            told,
            "nothing was imported; 2 to mend\npage.yaml: file: No such file or directory (os error 2)\n\
             parts: folder: No such file or directory (os error 2)"
        );
    }

    #[test]
    fn a_fault_is_named_after_the_key_at_its_place() {
        assert_eq!(key("name: a\nkind: b", 2, 7), "kind");
        assert_eq!(key("- {id: 1, kind: b}", 1, 11), "kind");
        assert_eq!(key("name: a", 9, 9), "");
    }
}
