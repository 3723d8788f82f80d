//! `schools.yaml`.

use forms::search::{reading, shown, text};
use kit_content::{Faults, File};
use serde::{Deserialize, Serialize};
use serde_saphyr::Spanned;

/// The valid borders, in tenths.
const BORDERS: std::ops::RangeInclusive<i32> = 250..=800;

/// A school with its departments.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AuthoredSchool {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) kana: String,
    pub(super) prefecture: String,
    pub(super) counts_school_marks: bool,
    /// In order.
    pub(super) departments: Vec<AuthoredDepartment>,
}

/// A department of a school.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AuthoredDepartment {
    pub(super) id: i64,
    pub(super) name: String,
    /// The 偏差値 with an even chance, in tenths.
    pub(super) border_tenths: i32,
}

impl AuthoredSchool {
    /// Returns the text to search, with a space before each word.
    pub(super) fn search_text(&self) -> String {
        let parts = [shown(&self.name), reading(&self.kana), shown(&self.prefecture)];
        format!(" {}", text(parts.iter().map(String::as_str)))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SchoolEntry {
    id: Spanned<i64>,
    name: Spanned<String>,
    kana: Spanned<String>,
    prefecture: Spanned<String>,
    counts_school_marks: bool,
    departments: Spanned<Vec<DepartmentEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DepartmentEntry {
    id: Spanned<i64>,
    name: Spanned<String>,
    border: Spanned<f64>,
}

/// Parses the schools. `None` if the file cannot be parsed; the fault is noted.
pub(super) fn read_schools(folder: &kit_content::Folder, faults: &mut Faults) -> Option<Vec<AuthoredSchool>> {
    let mut file = File { name: "schools.yaml", faults };
    let entries: Vec<SchoolEntry> = file.read_document(folder)?;
    let (mut schools, mut taken, mut taken_departments) = (Vec::new(), Vec::new(), Vec::new());
    for entry in entries {
        let id = file.id(&entry.id, &mut taken);
        if forms::kana(&entry.kana.value).as_ref() != Ok(&entry.kana.value) {
            file.fault(&entry.kana, "kana", "is not in full-width katakana of at most 20 characters");
        }
        let departments =
            file.some(entry.departments, "departments").into_iter().map(|department| AuthoredDepartment {
                id: file.id(&department.id, &mut taken_departments),
                name: file.text(department.name, "name"),
                border_tenths: parse_border(&mut file, &department.border),
            });
        let departments = departments.collect();
        schools.push(AuthoredSchool {
            id,
            name: file.text(entry.name, "name"),
            kana: entry.kana.value,
            prefecture: file.one_of(entry.prefecture, "prefecture", &forms::PREFECTURES),
            counts_school_marks: entry.counts_school_marks,
            departments,
        });
    }
    Some(schools)
}

/// Parses a border with at most one decimal. Returns tenths.
fn parse_border(file: &mut File<'_>, border: &Spanned<f64>) -> i32 {
    let tenths = BORDERS.into_iter().find(|tenths| (f64::from(*tenths) / 10.0 - border.value).abs() < 1e-9);
    tenths.unwrap_or_else(|| {
        file.fault(border, "border", format!("{} is not 25.0 to 80.0 with one decimal", border.value));
        *BORDERS.start()
    })
}
