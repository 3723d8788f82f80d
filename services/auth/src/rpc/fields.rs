//! The invalid fields of a request, collected.

use forms::Wrong;
use kit::error::FieldError;

use crate::error::Error;

/// The invalid fields so far.
#[derive(Default)]
pub(super) struct Fields(Vec<FieldError>);

impl Fields {
    /// Returns the value, or records the field `name` as invalid.
    pub(super) fn check<Value>(&mut self, name: &'static str, value: Result<Value, Wrong>) -> Option<Value> {
        value.map_err(|wrong| self.0.push(FieldError::new(name, wrong.code()))).ok()
    }

    /// Returns the form, or all invalid fields.
    pub(super) fn finish<Form>(self, form: Option<Form>) -> Result<Form, Error> {
        form.filter(|_| self.0.is_empty()).ok_or(Error::Fields(self.0))
    }
}
