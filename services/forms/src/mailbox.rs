//! The canonical mailbox of an e-mail address, for comparison.

/// Domains of one provider that ignores dots before the `@`. The first is the canonical one.
const GMAIL: [&str; 2] = ["gmail.com", "googlemail.com"];

/// The mailbox that an address of [`email`](super::email) delivers to: two addresses with the same mailbox reach the
/// same person. Case, a `+tag`, and dots where the provider ignores them do not matter.
///
/// Only for comparing and for keys of limits. Mail goes to the address as it was typed. The generated column
/// `account.mailbox` of auth computes the same in SQL; a test holds the two together.
#[must_use]
pub fn mailbox(email: &str) -> String {
    let email = email.to_lowercase();
    let Some((local, domain)) = email.rsplit_once('@') else { return email };
    // An address that begins with `+` has no part before the tag.
    let local = match local.split_once('+') {
        Some((name, _)) if !name.is_empty() => name,
        _ => local,
    };
    if GMAIL.contains(&domain) {
        return format!("{}@{}", local.replace('.', ""), GMAIL[0]);
    }
    format!("{local}@{domain}")
}

#[cfg(test)]
mod tests {
    use crate::test::MAILBOXES;

    use super::mailbox;

    #[test]
    fn a_mailbox_has_no_case_no_tag_and_no_dots_that_its_provider_ignores() {
        for (email, wanted) in MAILBOXES {
            assert_eq!(mailbox(email), wanted, "{email}");
            assert_eq!(mailbox(wanted), wanted, "{wanted} is canonical");
        }
    }
}
