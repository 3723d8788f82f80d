//! Japanese postal codes, from the monthly data of Japan Post.

use std::path::Path;

use kit::Failure;
use kit_db::{Pool, span};
use sqlx::PgConnection;
use tracing::Instrument as _;

/// A town with a postal code.
#[expect(clippy::struct_field_names, reason = "the wire uses these names")]
pub(crate) struct Town {
    pub(crate) prefecture: String,
    pub(crate) city: String,
    pub(crate) town: String,
    pub(crate) prefecture_kana: String,
    pub(crate) city_kana: String,
    pub(crate) town_kana: String,
}

/// Finds the towns with a postal code of seven digits.
pub(crate) async fn find_towns(database: &mut PgConnection, code: &str) -> sqlx::Result<Vec<Town>> {
    sqlx::query_as!(
        Town,
        "SELECT prefecture, city, town, prefecture_kana, city_kana, town_kana FROM postal_town WHERE code = $1 \
         ORDER BY prefecture_kana, city_kana, town_kana, town",
        code
    )
    .fetch_all(database)
    .instrument(span("SELECT postal_town"))
    .await
}

/// Replaces all towns by those of `file` in one transaction. Returns their number.
///
/// # Errors
///
/// If the file cannot be read, has a fault or has no town. Then nothing changes.
pub async fn import_towns(pool: &Pool, file: &Path) -> Result<u64, Failure> {
    let with_name =
        |error: &dyn std::error::Error| format!("{}: {}", file.display(), kit::error::chain(error));
    let content = tokio::fs::read(file).await.map_err(|error| with_name(&error))?;
    check_file(&content).map_err(|reason| format!("{}:{reason}", file.display()))?;
    let mut transaction = pool.begin().await?;
    // More than 100,000 rows take a while. The lock blocks other imports but no readers.
    sqlx::query!("SET LOCAL statement_timeout = '120s'").execute(&mut *transaction).await?;
    sqlx::query!("LOCK TABLE postal_town IN SHARE ROW EXCLUSIVE MODE").execute(&mut *transaction).await?;
    sqlx::query!("DELETE FROM postal_town").execute(&mut *transaction).await?;
    let mut copy = transaction
        .copy_in_raw(
            "COPY postal_town (code, prefecture, city, town, prefecture_kana, city_kana, town_kana) FROM STDIN",
        )
        .await?;
    copy.send(content).await.map_err(|error| with_name(&error))?;
    let towns = copy.finish().await.map_err(|error| with_name(&error))?;
    if towns == 0 {
        return Err(format!("{}: the file has no town", file.display()).into());
    }
    transaction.commit().await?;
    Ok(towns)
}

const COLUMNS: usize = 7;
/// Characters.
const COLUMN_LIMIT: usize = 500;

/// Checks a file of tab-separated columns before PostgreSQL copies it. An error has the form `line: reason`.
pub(crate) fn check_file(content: &[u8]) -> Result<(), String> {
    let text = std::str::from_utf8(content).map_err(|error| {
        let before = content.get(..error.valid_up_to()).unwrap_or_default();
        format!("{}: is not UTF-8", before.split(|byte| *byte == b'\n').count())
    })?;
    for (index, line) in text.split('\n').enumerate() {
        if !line.is_empty() {
            check_line(line).map_err(|reason| format!("{}: {reason}", index + 1))?;
        }
    }
    Ok(())
}

fn check_line(line: &str) -> Result<(), &'static str> {
    // A backslash is an escape in COPY: `\.` ends the data, `\N` is null.
    if line.contains(|char: char| char == '\\' || (char.is_control() && char != '\t')) {
        return Err("has a backslash or a control character");
    }
    if line.split('\t').count() != COLUMNS {
        return Err("does not have seven columns");
    }
    let is_code = line
        .split('\t')
        .next()
        .is_some_and(|code| code.len() == 7 && code.bytes().all(|byte| byte.is_ascii_digit()));
    if !is_code {
        return Err("does not begin with a code of seven digits");
    }
    if line.split('\t').any(|column| column.chars().count() > COLUMN_LIMIT) {
        return Err("has a column of more than 500 characters");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_file;

    const LINE: &str = "1000013\t東京都\t千代田区\t霞が関\tトウキョウト\tチヨダク\tカスミガセキ";

    #[test]
    fn a_file_is_checked_before_the_import() {
        assert_eq!(check_file(format!("{LINE}\n{LINE}\n").as_bytes()), Ok(()));
        assert_eq!(check_file(b""), Ok(()));
        for (wrong, reason) in [
            (LINE.replace("霞が関", "\\."), "2: has a backslash"),
            (LINE.replace("霞が関", "a\u{0}"), "2: has a backslash or a control"),
            (LINE.replace("霞が関\t", ""), "2: does not have seven"),
            (LINE.replace("1000013", "100-0013"), "2: does not begin"),
            (LINE.replace("1000013", "１００００１３"), "2: does not begin"),
            (LINE.replace("霞が関", &"あ".repeat(501)), "2: has a column"),
        ] {
            let found = check_file(format!("{LINE}\n{wrong}\n").as_bytes()).expect_err("it is wrong");
            assert!(found.starts_with(reason), "{found}");
        }
        assert_eq!(check_file(&[LINE.as_bytes(), b"\n\xff"].concat()), Err("2: is not UTF-8".to_owned()));
    }
}
