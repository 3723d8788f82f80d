//! Checks that several parts of the import use.

use kit_content::File;
use serde_saphyr::Spanned;

/// A child's id is its parent's id followed by two digits.
const CHILDREN: i64 = 100;

/// Checks that the id is that of a child of `parent` and not in `taken`. Returns it.
pub(super) fn check_child_id(
    file: &mut File<'_>,
    id: &Spanned<i64>,
    parent: i64,
    taken: &mut Vec<i64>,
) -> i64 {
    let id_value = id.value;
    if id_value.div_euclid(CHILDREN) != parent || id_value.rem_euclid(CHILDREN) == 0 {
        file.fault(id, "id", format!("{id_value} is not {parent} followed by 01 to 99"));
    } else if taken.contains(&id_value) {
        file.fault(id, "id", format!("{id_value} is there twice"));
    }
    taken.push(id_value);
    id_value
}

/// Returns the values without their positions.
pub(super) fn take_readings(file: &mut File<'_>, readings: Vec<Spanned<String>>) -> Vec<String> {
    readings.into_iter().map(|reading| file.text(reading, "readings")).collect()
}

/// Checks a URL. A fault is reported at `place`.
pub(super) fn check_url<T>(file: &mut File<'_>, place: &Spanned<T>, field: &str, url: &str) {
    if !(url.starts_with("https://") || url.starts_with('/')) || url.chars().any(char::is_control) {
        file.fault(place, field, format!("'{url}' is neither an https address nor a path of the site"));
    }
}
