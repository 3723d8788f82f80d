//! What is wrong with the fields of a request, all at once.

use kit::error::Field;
use kit::form::Wrong;

use crate::error::Error;

/// The wrong ones so far.
#[derive(Default)]
pub(super) struct Fields(Vec<Field>);

impl Fields {
    /// Notes what is wrong with the field `name`, if anything is.
    pub(super) fn check<Value>(&mut self, name: &'static str, value: Result<Value, Wrong>) -> Option<Value> {
        value.map_err(|wrong| self.0.push(Field { name: name.into(), code: wrong.code().into() })).ok()
    }

    /// What was read, unless something was wrong.
    pub(super) fn finish<Form>(self, form: Option<Form>) -> Result<Form, Error> {
        form.filter(|_| self.0.is_empty()).ok_or(Error::Fields(self.0))
    }
}
