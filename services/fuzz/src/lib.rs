//! Fuzz targets: each feeds bytes to one reader of what strangers send, and checks what must hold of the outcome.
//!
//! `cargo dev test fuzz` runs each for a minute under libFuzzer. The inputs in `corpus/` are replayed as a plain test;
//! an input that once broke a reader stays there.

mod caller;
mod site_path;
mod yaml;

use kit_content::archive::Archive;

/// A reader under test.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name on the command line, and of its folder in `corpus/`.
    pub name: &'static str,
    run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: [Target; 13] = [
    Target { name: "access_token", run: edge::fuzzing::access_token },
    Target { name: "refresh_token", run: refresh_token },
    Target { name: "caller_assertion", run: caller::caller_assertion },
    Target { name: "media_ticket", run: edge::fuzzing::media_ticket },
    Target { name: "redirect_target", run: site_path::redirect_target },
    Target { name: "range_header", run: edge::fuzzing::range_header },
    Target { name: "query_and_form", run: edge::fuzzing::query_and_form },
    Target { name: "yaml_import", run: yaml::import },
    Target { name: "accounts_import", run: auth::fuzzing::parse_accounts },
    Target { name: "content_archive", run: content_archive },
    Target { name: "postal_file", run: desk::fuzzing::postal_file },
    Target { name: "mail_address", run: desk::fuzzing::mail_address },
    Target { name: "picture", run: desk::fuzzing::picture },
];

impl Target {
    /// The target of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        TARGETS.into_iter().find(|target| target.name == name)
    }

    /// Feeds it one input. Panics where something does not hold.
    pub fn run(&self, data: &[u8]) {
        (self.run)(data);
    }
}

/// An archive of content that is accepted has files for the services it names.
fn content_archive(data: &[u8]) {
    if let Ok(archive) = Archive::from_reader(data, None)
        && let Some(service) = archive.services().first().map(ToString::to_string)
    {
        assert!(archive.into_folder(&service).is_some(), "{service}");
    }
}

/// A token has one spelling: two would be two keys of one session.
fn refresh_token(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data)
        && let Some(token) = auth::token::RefreshToken::parse(text)
    {
        assert_eq!(token.encode(), text);
    }
}
