//! The calls between services, and the settings that hold the key of each pair (`kit::caller`).

use tooling::failure::Outcome;

/// Pairs of caller and receiver. Each pair has its own key.
pub const CALLS: [(&str, &str); 15] = [
    ("auth", "commerce"),
    ("auth", "desk"),
    ("auth", "exam"),
    ("auth", "lms"),
    ("commerce", "desk"),
    ("commerce", "exam"),
    ("commerce", "lms"),
    ("edge", "auth"),
    ("edge", "commerce"),
    ("edge", "desk"),
    ("edge", "exam"),
    ("edge", "lms"),
    ("edge", "maintenance"),
    ("exam", "auth"),
    ("exam", "lms"),
];

/// Every service that calls or is called.
pub const SERVICES: [&str; 7] = ["auth", "commerce", "desk", "edge", "exam", "lms", "maintenance"];

/// The key settings of `service`: `EDGE_LMS_KEY` and the like for a caller, `CALLER_KEYS` for a receiver. `key` returns
/// the key of a pair of caller and receiver.
pub fn settings(
    service: &str,
    mut key: impl FnMut(&str, &str) -> Outcome<String>,
) -> Outcome<Vec<(String, String)>> {
    let mut settings = Vec::new();
    let mut accepted = Vec::new();
    for (caller, receiver) in CALLS {
        if caller == service {
            settings.push((format!("{caller}_{receiver}_KEY").to_uppercase(), key(caller, receiver)?));
        }
        if receiver == service {
            accepted.push(format!("{caller}={}", key(caller, receiver)?));
        }
    }
    if !accepted.is_empty() {
        settings.push(("CALLER_KEYS".to_owned(), accepted.join(",")));
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_each_call_have_the_same_key_and_no_two_calls_do() {
        let key = |caller: &str, receiver: &str| Ok(format!("{caller}>{receiver}"));
        let of = |service: &str| settings(service, key).expect("the service has keys");
        assert_eq!(of("site"), []);
        let auth = [
            ("AUTH_COMMERCE_KEY", "auth>commerce"),
            ("AUTH_DESK_KEY", "auth>desk"),
            ("AUTH_EXAM_KEY", "auth>exam"),
            ("AUTH_LMS_KEY", "auth>lms"),
            ("CALLER_KEYS", "edge=edge>auth,exam=exam>auth"),
        ];
        assert_eq!(of("auth"), auth.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!(
            of("lms"),
            [(
                "CALLER_KEYS".to_owned(),
                "auth=auth>lms,commerce=commerce>lms,edge=edge>lms,exam=exam>lms".to_owned()
            )]
        );
        for (caller, receiver) in CALLS {
            assert!(SERVICES.contains(&caller) && SERVICES.contains(&receiver));
        }
    }
}
