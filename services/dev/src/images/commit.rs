//! The commit that an image is built from.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tokio::process::Command;
use tooling::command::{find_program, run};
use tooling::failure::Outcome;

use runner::places;

/// A commit, for the labels of an image.
pub(crate) struct Commit {
    /// Hash of the commit; with `-dirty` if files have changed since.
    pub(crate) revision: String,
    /// Time of the commit, in seconds since 1970.
    pub(crate) epoch: i64,
    /// Public URL of the repository; empty if there is none.
    pub(crate) source: String,
}

impl Commit {
    /// The checked-out commit; `unknown` outside git.
    pub(crate) async fn head() -> Outcome<Self> {
        let head = git(&["log", "-1", "--format=%H %ct"]).await?;
        let Some((hash, epoch)) = head.trim().split_once(' ') else {
            return Ok(Self { revision: "unknown".into(), epoch: 0, source: String::new() });
        };
        let dirty = if git(&["status", "--porcelain"]).await?.trim().is_empty() { "" } else { "-dirty" };
        let source = source(git(&["remote", "get-url", "origin"]).await?.trim());
        Ok(Self { revision: format!("{hash}{dirty}"), epoch: epoch.parse()?, source })
    }

    /// Time of the commit as RFC 3339.
    pub(crate) fn created(&self) -> Outcome<String> {
        Ok(OffsetDateTime::from_unix_timestamp(self.epoch)?.format(&Rfc3339)?)
    }
}

/// Returns the output of git; empty if it fails or is not installed.
async fn git(arguments: &[&str]) -> Outcome<String> {
    let Some(program) = find_program("git") else {
        return Ok(String::new());
    };
    let ended = run(Command::new(program).args(arguments).current_dir(places::repository())).await?;
    Ok(if ended.status.success() { ended.stdout } else { String::new() })
}

/// Returns the public URL of a repository, never a path, a user or a token.
fn source(remote: &str) -> String {
    let place = match remote.split_once("://") {
        Some(("https" | "ssh", place)) => place.to_owned(),
        Some(_) => return String::new(),
        // git@host:owner/name
        None => match remote.split_once(':') {
            Some((host, path)) if host.contains('@') => format!("{host}/{path}"),
            _ => return String::new(),
        },
    };
    let (host, path) = place.split_once('/').unwrap_or((&place, ""));
    let host = host.rsplit('@').next().unwrap_or(host);
    format!("https://{host}/{}", path.trim_end_matches(".git"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_a_url_without_secrets_or_empty() {
        for (remote, wanted) in [
            ("https://git.example/konomana/konomana.git", "https://git.example/konomana/konomana"),
            ("https://me:token@git.example/konomana", "https://git.example/konomana"),
            ("git@git.example:konomana/konomana.git", "https://git.example/konomana/konomana"),
            ("ssh://git@git.example/konomana.git", "https://git.example/konomana"),
            ("/home/me/konomana", ""),
            ("file:///home/me/konomana", ""),
            ("", ""),
        ] {
            assert_eq!(source(remote), wanted, "{remote}");
        }
    }

    #[test]
    fn the_time_of_an_image_is_that_of_its_commit() {
        let commit = Commit { revision: "unknown".into(), epoch: 1_700_000_000, source: String::new() };
        assert_eq!(commit.created().expect("format the time"), "2023-11-14T22:13:20Z");
    }
}
