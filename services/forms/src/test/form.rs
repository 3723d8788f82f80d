//! The cases that forms are tested with, on the site and here.

use serde_json::Value;
use time::Date;
use time::macros::format_description;

const CASES: &str = include_str!("../../../../web/libs/form/src/cases.json");

/// What somebody types into a field, and what becomes of it.
#[derive(Debug)]
pub struct FormCase(Value);

/// The cases of a field.
#[must_use]
pub fn form_cases(field: &str) -> Vec<FormCase> {
    let cases: Vec<Value> = serde_json::from_str(CASES).expect("the cases are JSON");
    cases.into_iter().filter(|case| case["field"] == field).map(FormCase).collect()
}

impl FormCase {
    /// What is typed.
    #[must_use]
    pub fn typed(&self) -> &str {
        self.0["typed"].as_str().expect("text is typed")
    }

    /// What else matters.
    #[must_use]
    pub fn context(&self) -> &Value {
        &self.0["context"]
    }

    /// The day it is typed on, if that matters.
    #[must_use]
    pub fn today(&self) -> Option<Date> {
        let text = self.context()["today"].as_str()?;
        Some(Date::parse(text, format_description!("[year]-[month]-[day]")).expect("today is a date"))
    }

    /// What becomes of it, or the reason why it is not taken.
    pub fn wanted(&self) -> Result<&str, &str> {
        match self.0["error"].as_str() {
            Some(error) => Err(error),
            None => Ok(self.0["value"].as_str().unwrap_or_default()),
        }
    }
}
