//! Mail addresses as SMTP wants them.

use lettre::Address;

/// The address of `email` as it was typed. What Japanese phones once gave out, like `a..b@docomo.ne.jp`, stands in quotes
/// on the wire. `None` where no server would understand it.
#[must_use]
pub(crate) fn parse(email: &str) -> Option<Address> {
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
    fn old_addresses_of_phones_are_quoted_and_others_are_left_alone() {
        for (typed, sent) in [
            ("hanako@demo.example", "hanako@demo.example"),
            ("a..b@docomo.ne.jp", "\"a..b\"@docomo.ne.jp"),
            ("ab.@ezweb.ne.jp", "\"ab.\"@ezweb.ne.jp"),
            (".ab@docomo.ne.jp", "\".ab\"@docomo.ne.jp"),
            ("\"a..b\"@docomo.ne.jp", "\"a..b\"@docomo.ne.jp"),
        ] {
            assert_eq!(parse(typed).map(|address| address.to_string()).as_deref(), Some(sent), "{typed}");
        }
    }

    #[test]
    fn what_is_no_address_is_none() {
        for typed in
            ["", "hanako", "@demo.example", "a@", "a@b c.example", "a\r\nRCPT TO:<x@y.example>@demo.example"]
        {
            assert_eq!(parse(typed), None, "{typed:?}");
        }
    }
}
