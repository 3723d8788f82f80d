//! Import of accounts from a file, e.g. the demo's. A second import of the same file changes nothing.

use std::collections::HashMap;
use std::fmt;

use kit::Failure;
use kit_content::Source;
use kit_db::Pool;
use serde::Deserialize;
use serde_saphyr::{Location, Spanned};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::account::{self, Account, SCOPES};
use crate::guardian::link;
use crate::{password, session};

/// The name of the file.
const FILE: &str = "accounts.yaml";

time::serde::format_description!(iso_date, Date, "[year]-[month]-[day]");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    /// The password of all accounts in the file.
    password: Spanned<String>,
    accounts: Vec<Spanned<AccountEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AccountEntry {
    id: Uuid,
    email: String,
    scope: Vec<String>,
    last_name: String,
    first_name: String,
    last_name_kana: String,
    first_name_kana: String,
    #[serde(default, with = "iso_date::option")]
    birth_date: Option<Date>,
    /// Whether the owner must choose another password at the first login.
    #[serde(default)]
    must_change_password: bool,
    /// The account of the learner's guardian, linked when the learner's account is added.
    #[serde(default)]
    guardian: Option<Uuid>,
}

/// The outcome of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// New accounts.
    pub added: Vec<Uuid>,
    /// Existing accounts that were changed.
    pub changed: Vec<Uuid>,
    /// Number of accounts that were already equal.
    pub unchanged: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for id in &self.added {
            writeln!(formatter, "account {id} added")?;
        }
        for id in &self.changed {
            writeln!(formatter, "account {id} changed")?;
        }
        write!(
            formatter,
            "accounts: {} added, {} changed, {} unchanged",
            self.added.len(),
            self.changed.len(),
            self.unchanged
        )
    }
}

/// Imports `accounts.yaml` in one transaction; a dry run rolls it back. A changed password or scope ends the sessions
/// of the account.
pub async fn import(
    pool: &Pool,
    source: impl Into<Source>,
    now: OffsetDateTime,
    dry_run: bool,
) -> Result<Report, Failure> {
    let text = source.into().folder.read_file(FILE).map_err(|error| format!("{FILE}: {error}"))?;
    let document = parse_document(&text).map_err(|fault| fault.to_text())?;
    let password = document.password.value;
    let mut report = Report::default();
    let mut memory = password::Memory::default();
    let mut guardians = Vec::new();
    let mut transaction = pool.begin().await?;
    for Spanned { value: entry, defined, .. } in document.accounts {
        let before = account::find_by_id(&mut transaction, entry.id).await?;
        let same_password = match &before {
            Some(before) => password::matches(&password, &before.password_hash, &mut memory)?,
            None => false,
        };
        let account = Account {
            id: entry.id,
            email: entry.email,
            password_hash: match &before {
                Some(before) if same_password => before.password_hash.clone(),
                _ => password::hash(&password)?,
            },
            scope: entry.scope,
            last_name: entry.last_name,
            first_name: entry.first_name,
            last_name_kana: entry.last_name_kana,
            first_name_kana: entry.first_name_kana,
            birth_date: entry.birth_date,
            created: before.as_ref().map_or(now, |before| before.created),
        };
        if before.as_ref() == Some(&account) {
            report.unchanged += 1;
            continue;
        }
        account::put(&mut transaction, &account).await.map_err(|error| -> Failure {
            match kit_db::constraint(&error) {
                Some("account_email_unique") => {
                    Fault::new(defined, "another account has this e-mail address").to_text().into()
                }
                _ => error.into(),
            }
        })?;
        if entry.must_change_password && !same_password {
            account::require_new_password(&mut transaction, account.id).await?;
        }
        if let Some(before) = before {
            // Access tokens contain the scope.
            if !same_password || before.scope != account.scope {
                session::end_all(&mut transaction, account.id, now).await?;
            }
            report.changed.push(account.id);
        } else {
            guardians.extend(entry.guardian.map(|guardian| (account.id, guardian)));
            report.added.push(account.id);
        }
    }
    for (learner, guardian) in guardians {
        link::add(&mut transaction, learner, guardian, 1, now).await?;
    }
    if dry_run {
        transaction.rollback().await?;
    } else {
        transaction.commit().await?;
    }
    Ok(report)
}

/// A fault in the file, with its line.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    line: u64,
    message: String,
}

impl Fault {
    fn new(location: Location, message: impl Into<String>) -> Self {
        Self { line: location.line(), message: message.into() }
    }

    /// `accounts.yaml:3: …`
    fn to_text(&self) -> String {
        format!("{FILE}:{}: {}", self.line, self.message)
    }
}

/// Checks the text of a file; the error is the one that an import prints.
pub(crate) fn check_text(text: &str) -> Result<(), String> {
    parse_document(text).map(drop).map_err(|fault| fault.to_text())
}

fn parse_document(text: &str) -> Result<Document, Fault> {
    let document: Document = serde_saphyr::from_str(text).map_err(|error| {
        Fault::new(error.location().unwrap_or(Location::UNKNOWN), error.without_snippet().to_string())
    })?;
    if forms::password(&document.password.value).is_err() {
        return Err(Fault::new(document.password.defined, "a password has 10 to 128 characters"));
    }
    let (mut ids, mut emails) = (HashMap::new(), HashMap::new());
    for Spanned { value: entry, defined, .. } in &document.accounts {
        check_entry(entry).map_err(|message| Fault::new(*defined, message))?;
        if let Some(line) = ids.insert(entry.id, defined.line()) {
            return Err(Fault::new(*defined, format!("the account in line {line} has this id already")));
        }
        if let Some(guardian) = entry.guardian
            && !document.accounts.iter().any(|other| other.value.id == guardian)
        {
            return Err(Fault::new(*defined, "the guardian has no account in the file"));
        }
        if let Some(line) = emails.insert(account::email_key(&entry.email), defined.line()) {
            return Err(Fault::new(
                *defined,
                format!("the account in line {line} has this e-mail address already"),
            ));
        }
    }
    Ok(document)
}

fn check_entry(entry: &AccountEntry) -> Result<(), String> {
    if forms::email(&entry.email).as_ref() != Ok(&entry.email) {
        return Err("this is not an e-mail address".to_owned());
    }
    if let Some(scope) = entry.scope.iter().find(|scope| !SCOPES.contains(&scope.as_str())) {
        return Err(format!("there is no scope '{scope}': {}", SCOPES.join(", ")));
    }
    if [&entry.last_name, &entry.first_name].iter().any(|name| forms::name(name).is_err()) {
        return Err("a name has 1 to 20 characters".to_owned());
    }
    if [&entry.last_name_kana, &entry.first_name_kana]
        .iter()
        .any(|kana| forms::kana(kana).as_ref() != Ok(kana))
    {
        return Err("the reading of a name is 1 to 20 full-width katakana".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "\
password: long enough
accounts:
  - id: 01936f2a-4c00-7a31-8b52-1f6d0c9e4a01
    email: one@demo.example
    scope: [learner]
    last_name: 井上
    first_name: 拓海
    last_name_kana: イノウエ
    first_name_kana: タクミ
    birth_date: 2003-08-19
";

    fn fault(from: &str, to: &str) -> (u64, String) {
        assert!(GOOD.contains(from), "{from}");
        let fault = parse_document(&GOOD.replacen(from, to, 1)).err().expect("a fault");
        (fault.line, fault.message)
    }

    #[test]
    fn a_valid_file_is_parsed_and_a_birth_date_is_optional() {
        assert_eq!(
            parse_document(GOOD).unwrap().accounts[0].value.birth_date,
            Some(time::macros::date!(2003 - 08 - 19))
        );
        let without = GOOD.replace("    birth_date: 2003-08-19\n", "");
        assert_eq!(parse_document(&without).unwrap().accounts[0].value.birth_date, None);
    }

    #[test]
    fn a_fault_has_its_line_and_reason() {
        let (line, message) = fault("first_name: 拓海", "firstname: 拓海");
        assert_eq!(line, 7);
        assert!(message.contains("firstname"), "{message}");
        let (line, message) = fault("2003-08-19", "2003-02-30");
        assert_eq!(line, 10, "{message}");
        assert_eq!(fault("[learner]", "[teacher]").0, 3);
        assert_eq!(fault("long enough", "too short").0, 1);
        assert_eq!(fault("one@demo.example", "one").1, "this is not an e-mail address");
        assert_eq!(fault("井上", "\"\"").1, "a name has 1 to 20 characters");
        let guardian = "guardian: 01936f2a-4c04-7462-8e0b-c7a51d386f05";
        assert_eq!(fault("birth_date: 2003-08-19", guardian).1, "the guardian has no account in the file");
    }

    #[test]
    fn no_two_accounts_share_an_id_or_an_address_in_whatever_case() {
        let entry = GOOD.split_once("accounts:\n").unwrap().1;
        let twice = |other: String| parse_document(&format!("{GOOD}{other}")).err().expect("a fault").message;
        assert!(twice(entry.to_owned()).contains("id already"));
        let other = entry.replace("4a01", "4a02").replace("one@demo", "ONE@Demo");
        assert!(twice(other).contains("line 3 has this e-mail address already"));
    }
}
