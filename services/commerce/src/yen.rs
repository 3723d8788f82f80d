//! Amounts of money as text.

/// Formats whole yen, e.g. `16,500`.
pub(crate) fn group_digits(yen: i32) -> String {
    let digits = yen.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
