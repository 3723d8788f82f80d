//! The test cases of forms, shared with the site.

use serde_json::Value;
use time::Date;
use time::macros::format_description;

const CASES: &str = include_str!("../../../../web/libs/form/src/cases.json");

/// A test case: a typed value and the expected result.
#[derive(Debug)]
pub struct FormCase(Value);

/// The cases of a field.
#[must_use]
pub fn form_cases(field: &str) -> Vec<FormCase> {
    let cases: Vec<Value> = serde_json::from_str(CASES).expect("the cases are JSON");
    cases.into_iter().filter(|case| case["field"] == field).map(FormCase).collect()
}

impl FormCase {
    /// The typed value.
    #[must_use]
    pub fn typed(&self) -> &str {
        self.0["typed"].as_str().expect("`typed` is a string")
    }

    /// Further input of the case.
    #[must_use]
    pub fn context(&self) -> &Value {
        &self.0["context"]
    }

    /// The current date of the case, if it matters.
    #[must_use]
    pub fn today(&self) -> Option<Date> {
        let text = self.context()["today"].as_str()?;
        Some(Date::parse(text, format_description!("[year]-[month]-[day]")).expect("`today` is a date"))
    }

    /// The normalised value, or the reason why it is invalid.
    pub fn wanted(&self) -> Result<&str, &str> {
        match self.0["error"].as_str() {
            Some(error) => Err(error),
            None => Ok(self.0["value"].as_str().unwrap_or_default()),
        }
    }
}
