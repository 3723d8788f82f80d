//! Password strength, estimated by zxcvbn.

use forms::Wrong;
use zxcvbn::{Score, zxcvbn};

/// Words of this site, which people choose first.
const SITE: [&str; 7] =
    ["konomana", "konomoshi", "konoshiki", "コノマナ", "このまな", "コノ模試", "コノシキ"];
/// Shorter words are ignored, because they occur in everything.
const LEAST: usize = 2;

/// Refuses a password that is easy to guess for a person who knows the site and the words `known`: the e-mail address
/// and the names of the owner.
pub(crate) fn check(password: &str, known: &[&str]) -> Result<(), Wrong> {
    let words = known.iter().flat_map(|text| {
        let parts =
            text.split(|char: char| !char.is_alphanumeric()).filter(|part| part.chars().count() >= LEAST);
        [*text].into_iter().chain(text.split('@').take(1)).chain(parts)
    });
    let words: Vec<String> = SITE.into_iter().chain(words).map(str::to_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // The rest without all known words must be strong as well.
    let rest = words.iter().fold(password.to_lowercase(), |rest, word| rest.replace(word, ""));
    let strong = |text: &str| zxcvbn(text, &words).score() >= Score::Three;
    if strong(password) && strong(&rest) { Ok(()) } else { Err(Wrong::Guessable) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guessable_passwords_are_refused() {
        let cases = forms::test::form_cases("password_strength");
        assert!(cases.len() >= 15);
        for case in cases {
            let names = case.context()["names"].as_array().unwrap().iter();
            let known: Vec<&str> = [&case.context()["email"]]
                .into_iter()
                .chain(names)
                .map(|known| known.as_str().unwrap())
                .collect();
            let outcome = check(case.typed(), &known).map(|()| case.typed()).map_err(Wrong::code);
            assert_eq!(outcome, case.wanted(), "{case:?}");
        }
    }
}
