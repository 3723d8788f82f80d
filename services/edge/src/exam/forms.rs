//! The forms that learners fill in before an exam.

use proto::exam as wire;
use serde::Serialize;
use utoipa::ToSchema;

use crate::input::{Fields, Form, MAX_SAFE_INTEGER};

/// Longest text field in characters. The service has stricter limits.
const MAX_TEXT: usize = 254;

/// The applicant.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BasicInfo {
    /// 姓, as typed.
    #[schema(min_length = 1, max_length = 254)]
    last_name: String,
    /// 名, as typed.
    #[schema(min_length = 1, max_length = 254)]
    first_name: String,
    /// セイ
    #[schema(min_length = 1, max_length = 254)]
    last_kana: String,
    /// メイ
    #[schema(min_length = 1, max_length = 254)]
    first_kana: String,
    /// 小1 to 高3, or 既卒.
    #[schema(example = "中3")]
    school_year: String,
    /// 1 to 50 characters.
    #[schema(min_length = 1, max_length = 254)]
    school_name: String,
    #[schema(example = "東京都")]
    prefecture: String,
}

impl Form for BasicInfo {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (last_name, first_name) =
            (fields.text("last_name", MAX_TEXT), fields.text("first_name", MAX_TEXT));
        let (last_kana, first_kana) =
            (fields.text("last_kana", MAX_TEXT), fields.text("first_kana", MAX_TEXT));
        let (school_year, school_name) =
            (fields.text("school_year", MAX_TEXT), fields.text("school_name", MAX_TEXT));
        let prefecture = fields.text("prefecture", MAX_TEXT);
        Some(Self {
            last_name: last_name?,
            first_name: first_name?,
            last_kana: last_kana?,
            first_kana: first_kana?,
            school_year: school_year?,
            school_name: school_name?,
            prefecture: prefecture?,
        })
    }
}

impl From<BasicInfo> for wire::BasicInfo {
    fn from(info: BasicInfo) -> Self {
        Self {
            last_name: info.last_name,
            first_name: info.first_name,
            last_kana: info.last_kana,
            first_kana: info.first_kana,
            school_year: info.school_year,
            school_name: info.school_name,
            prefecture: info.prefecture,
        }
    }
}

impl From<wire::BasicInfo> for BasicInfo {
    fn from(info: wire::BasicInfo) -> Self {
        Self {
            last_name: info.last_name,
            first_name: info.first_name,
            last_kana: info.last_kana,
            first_kana: info.first_kana,
            school_year: info.school_year,
            school_name: info.school_name,
            prefecture: info.prefecture,
        }
    }
}

/// A school and a department.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SchoolChoice {
    #[schema(minimum = 1)]
    pub(super) school_id: i64,
    #[schema(minimum = 1)]
    pub(super) department_id: i64,
    /// 内申点; null: not given, or not counted.
    #[schema(required, minimum = 9, maximum = 45)]
    pub(super) school_marks: Option<i32>,
}

impl Form for SchoolChoice {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let (school_id, department_id) =
            (fields.whole("school_id", MAX_SAFE_INTEGER), fields.whole("department_id", MAX_SAFE_INTEGER));
        let school_marks = fields.optional_id("school_marks");
        Some(Self {
            school_id: school_id?,
            department_id: department_id?,
            // The service refuses values that are too large.
            school_marks: school_marks?.map(|marks| i32::try_from(marks).unwrap_or(i32::MAX)),
        })
    }
}

/// Results of the check of a device.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeviceReport {
    /// Name and version.
    #[schema(min_length = 1, max_length = 200)]
    pub(super) browser: String,
    /// Milliseconds that the device's clock is ahead of the server's.
    pub(super) clock_offset_ms: i64,
    /// Whether the device still has what it stored where answers are stored.
    pub(super) storage_kept: bool,
    /// Milliseconds from a request to its response.
    #[schema(minimum = 0)]
    pub(super) round_trip_ms: i32,
    /// Whether the learner heard the sound.
    pub(super) sound: bool,
    /// Whether the learner will sit in a quiet place.
    pub(super) quiet_place: bool,
    /// Whether the browser has the features that an exam needs. Absent: it has.
    #[schema(required = false)]
    pub(super) browser_fits: Option<bool>,
}

impl Form for DeviceReport {
    fn from_fields(fields: &mut Fields) -> Option<Self> {
        let browser = fields.text("browser", MAX_TEXT);
        let clock_offset_ms = fields.nested::<i64>("clock_offset_ms");
        let storage_kept = fields.flag("storage_kept");
        let round_trip_ms = fields.whole("round_trip_ms", i64::from(i32::MAX));
        let (sound, quiet_place) = (fields.flag("sound"), fields.flag("quiet_place"));
        let browser_fits = fields.optional_flag("browser_fits");
        Some(Self {
            browser: browser?,
            clock_offset_ms: clock_offset_ms?,
            storage_kept: storage_kept?,
            round_trip_ms: i32::try_from(round_trip_ms?).ok()?,
            sound: sound?,
            quiet_place: quiet_place?,
            browser_fits: browser_fits?,
        })
    }
}
