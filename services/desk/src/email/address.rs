//! Email addresses in the form that SMTP requires.

use lettre::Address;

/// Parses an address as it was typed. The local part is quoted if it is invalid without quotes, as in old addresses of
/// Japanese phones (`a..b@docomo.ne.jp`). `None` if it is invalid in quotes as well.
#[must_use]
pub(crate) fn parse_address(email: &str) -> Option<Address> {
    let (user, domain) = email.rsplit_once('@')?;
    Address::new(user, domain).ok().or_else(|| {
        let quoted = format!("\"{}\"", user.replace('\\', r"\\").replace('"', "\\\""));
        Address::new(quoted, domain).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_phone_addresses_are_quoted_and_others_are_unchanged() {
        for (typed, sent) in [
            ("hanako@demo.example", "hanako@demo.example"),
            ("a..b@docomo.ne.jp", "\"a..b\"@docomo.ne.jp"),
            ("ab.@ezweb.ne.jp", "\"ab.\"@ezweb.ne.jp"),
            (".ab@docomo.ne.jp", "\".ab\"@docomo.ne.jp"),
            ("\"a..b\"@docomo.ne.jp", "\"a..b\"@docomo.ne.jp"),
        ] {
            assert_eq!(
                parse_address(typed).map(|address| address.to_string()).as_deref(),
                Some(sent),
                "{typed}"
            );
        }
    }

    #[test]
    fn an_invalid_address_is_none() {
        for typed in
            ["", "hanako", "@demo.example", "a@", "a@b c.example", "a\r\nRCPT TO:<x@y.example>@demo.example"]
        {
            assert_eq!(parse_address(typed), None, "{typed:?}");
        }
    }
}
