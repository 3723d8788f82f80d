//! Parameters of the API: form fields with brackets, `a[b][0]=c`. Unknown parameters are errors.

use std::collections::BTreeMap;
use std::str::FromStr;

use crate::error::ApiError;

/// The parameters of a request that were not taken yet.
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

    /// Takes an integer.
    pub(crate) fn take_number<Number: FromStr>(&mut self, name: &str) -> Result<Option<Number>, ApiError> {
        let invalid = |()| ApiError::parameter("parameter_invalid_integer", name, "Invalid integer");
        self.take(name).map(|text| text.parse().map_err(|_| invalid(()))).transpose()
    }

    /// Takes a value that must be one of `allowed`.
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

    /// Takes `expand`: the fields to expand to objects. A field that is not in `allowed` is an
    /// error.
    pub(crate) fn take_expansions(&mut self, allowed: &[&str]) -> Result<Vec<String>, ApiError> {
        let fields: Vec<_> = self.take_map("expand").into_values().collect();
        match fields.iter().find(|field| !allowed.contains(&field.as_str())) {
            Some(_) => Err(invalid("expand")),
            None => Ok(fields),
        }
    }

    /// Takes a required value that must be one of `allowed`.
    pub(crate) fn require_word(&mut self, name: &str, allowed: &[&str]) -> Result<String, ApiError> {
        let word = self.require(name)?;
        if allowed.contains(&word.as_str()) { Ok(word) } else { Err(invalid(name)) }
    }

    /// Takes an amount in yen between `least` and `most`.
    pub(crate) fn take_amount(&mut self, name: &str, least: i64, most: i64) -> Result<Option<i64>, ApiError> {
        let amount = self.take_number(name)?;
        match amount {
            Some(amount) if amount < least => Err(ApiError::parameter(
                "amount_too_small",
                name,
                &format!("Amount must be at least ¥{least}"),
            )),
            Some(amount) if amount > most => Err(ApiError::parameter(
                "amount_too_large",
                name,
                &format!("Amount must be no more than ¥{most}"),
            )),
            amount => Ok(amount),
        }
    }

    /// Fails if a parameter was not taken.
    pub(crate) fn finish(&self) -> Result<(), ApiError> {
        let left = self.0.keys().next();
        left.map_or(Ok(()), |name| {
            Err(ApiError::parameter("parameter_unknown", name, "Received unknown parameter"))
        })
    }
}

/// The error for a parameter with an invalid value.
pub(crate) fn invalid(name: &str) -> ApiError {
    ApiError::parameter("parameter_invalid", name, "Invalid value")
}

/// Checks a parameter with a redirect URL.
pub(crate) fn check_url(name: &str, url: Option<&str>) -> Result<(), ApiError> {
    if url.is_some_and(|url| !url.starts_with("https://") && !url.starts_with("http://")) {
        return Err(invalid(name));
    }
    Ok(())
}
