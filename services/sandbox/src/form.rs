//! Parameters of the API: form fields with brackets, `a[b][0]=c`. An unknown parameter is an error.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::error::ApiError;

/// The parameters of a request that are not taken yet.
pub(crate) struct Form(BTreeMap<String, String>);

impl Form {
    /// Parses a body or a query.
    pub(crate) fn parse(encoded: &[u8]) -> Self {
        Self(form_urlencoded::parse(encoded).into_owned().collect())
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name).filter(|value| !value.is_empty())
    }

    pub(crate) fn require(&mut self, name: &str) -> Result<String, ApiError> {
        self.take(name)
            .ok_or_else(|| ApiError::parameter("parameter_missing", name, "Missing required param"))
    }

    /// Takes a whole number.
    pub(crate) fn take_number<Number: FromStr>(&mut self, name: &str) -> Result<Option<Number>, ApiError> {
        let invalid = |()| ApiError::parameter("parameter_invalid_integer", name, "Invalid integer");
        self.take(name).map(|text| text.parse().map_err(|_| invalid(()))).transpose()
    }

    /// Takes a word that must be one of `allowed`.
    pub(crate) fn take_word(&mut self, name: &str, allowed: &[&str]) -> Result<Option<String>, ApiError> {
        match self.take(name) {
            Some(word) if !allowed.contains(&word.as_str()) => Err(invalid(name)),
            word => Ok(word),
        }
    }

    /// Takes every `name[key]`.
    pub(crate) fn take_map(&mut self, name: &str) -> BTreeMap<String, String> {
        let prefix = format!("{name}[");
        let key = |field: &str| field.strip_prefix(&prefix)?.strip_suffix(']').map(str::to_owned);
        let fields: Vec<_> = self.0.keys().filter_map(|field| Some((field.clone(), key(field)?))).collect();
        fields.into_iter().filter_map(|(field, key)| Some((key, self.0.remove(&field)?))).collect()
    }

    /// Takes `expand`, and says whether `field` is in it. Another field is an error.
    pub(crate) fn take_expansion(&mut self, field: &str) -> Result<bool, ApiError> {
        let fields = self.take_map("expand");
        match fields.values().find(|expanded| *expanded != field) {
            Some(_) => Err(invalid("expand")),
            None => Ok(!fields.is_empty()),
        }
    }

    /// Fails if a parameter is left.
    pub(crate) fn finish(&self) -> Result<(), ApiError> {
        let left = self.0.keys().next();
        left.map_or(Ok(()), |name| {
            Err(ApiError::parameter("parameter_unknown", name, "Received unknown parameter"))
        })
    }
}

/// A parameter with a value that is not allowed.
pub(crate) fn invalid(name: &str) -> ApiError {
    ApiError::parameter("parameter_invalid", name, "Invalid value")
}
