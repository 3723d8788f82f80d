//! Generates the ids of objects.

use uuid::Uuid;

/// A new id: `prefix_` and 32 hexadecimal digits.
pub(crate) fn new_id(prefix: &str) -> String {
    format!("{prefix}_{}", Uuid::new_v4().simple())
}

/// A random number with `count` decimal digits, at most 18. The first digit is not 0.
pub(crate) fn new_digits(count: u32) -> String {
    let least = 10_u64.pow(count - 1);
    let random = u64::from_be_bytes(Uuid::new_v4().into_bytes()[8..].try_into().unwrap_or_default());
    (least + random % (least * 9)).to_string()
}
