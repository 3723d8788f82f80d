//! Full-text search in Japanese without a dictionary: one normal form for texts and queries, and an index of bigrams.
//!
//! The search text is stored beside the shown text, in the form of [`text`]: NFKC, lower case, hiragana as katakana, one
//! space between words. Queries have the same form, so `すうがく` finds `スウガク` and the reverse, and `ＡＢＣ` finds `abc`.
//! A kanji is found by its reading only where an author wrote the reading beside it.
//!
//! A text matches when it contains every word: `text LIKE ALL (patterns)`. Over many rows, `grams @> grams` lets a GIN index
//! on a `text[]` of [`grams`] find the candidates. A trigram index (`pg_trgm`) does not find words of one or two
//! characters, which most Japanese queries are.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;

use crate::{Wrong, katakana};

/// The longest query, in characters.
pub const QUERY_LIMIT: usize = 100;

/// `parts` in normal form.
#[must_use]
pub fn text<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for part in parts {
        for word in folded(part).split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        }
    }
    text
}

/// Every character and every bigram in the words of a normal form, each once, in order.
#[must_use]
pub fn grams(text: &str) -> Vec<String> {
    let mut grams = BTreeSet::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let mut before = None;
        for char in word.chars() {
            grams.insert(String::from(char));
            grams.extend(before.map(|before| String::from_iter([before, char])));
            before = Some(char);
        }
    }
    grams.into_iter().collect()
}

/// The words of a query in normal form, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(Vec<String>);

impl Words {
    /// Parses a query: 1 to [`QUERY_LIMIT`] characters, at least one of them not a space. Any space separates words, also
    /// the wide one (U+3000).
    pub fn parse(typed: &str) -> Result<Self, Wrong> {
        if typed.chars().nth(QUERY_LIMIT).is_some() {
            return Err(Wrong::TooLong);
        }
        if typed.chars().any(|char| char.is_control() && !char.is_whitespace()) {
            return Err(Wrong::InvalidFormat);
        }
        let mut words: Vec<String> = Vec::new();
        for word in folded(typed).split_whitespace() {
            if !words.iter().any(|known| known == word) {
                words.push(word.to_owned());
            }
        }
        if words.is_empty() { Err(Wrong::Required) } else { Ok(Self(words)) }
    }

    /// The patterns for `LIKE ALL`. `%`, `_` and `\` of a word are escaped.
    #[must_use]
    pub fn patterns(&self) -> Vec<String> {
        self.0.iter().map(|word| format!("%{}%", escaped(word))).collect()
    }

    /// The pattern for `LIKE` of texts that begin with the first word, to sort them first.
    #[must_use]
    pub fn beginning(&self) -> String {
        self.0.first().map_or_else(String::new, |word| format!("{}%", escaped(word)))
    }

    /// The grams for `@>`: necessary for a match and not sufficient, so `LIKE` decides.
    #[must_use]
    pub fn grams(&self) -> Vec<String> {
        let pieces = self.0.iter().flat_map(|word| {
            let chars: Vec<char> = word.chars().collect();
            // The bigrams of a word imply its characters.
            chars.windows(chars.len().min(2)).map(String::from_iter).collect::<Vec<_>>()
        });
        pieces.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// One width, one case and one kana. A wide space becomes a plain one.
fn folded(text: &str) -> String {
    text.nfkc().collect::<String>().to_lowercase().chars().map(katakana).collect()
}

fn escaped(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    for char in word.chars() {
        if matches!(char, '%' | '_' | '\\') {
            text.push('\\');
        }
        text.push(char);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(typed: &str) -> Vec<String> {
        Words::parse(typed).unwrap().0
    }

    #[test]
    fn what_is_kept_has_one_width_one_case_and_one_kana() {
        assert_eq!(text(["ｶﾞｸｼｭｳ　Ｂe動詞", "", " すうがく\n数学 "]), "ガクシュウ be動詞 スウガク 数学");
        assert_eq!(text(["y＝ax²"]), "y=ax2");
        assert_eq!(text([]), "");
    }

    #[test]
    fn words_are_parted_by_any_space_and_said_once() {
        assert_eq!(words("すうがく　ABC\tabc  ｽｳｶﾞｸ"), ["スウガク", "abc"]);
    }

    #[test]
    fn a_query_has_1_to_100_characters_and_something_to_look_for() {
        assert_eq!(Words::parse(""), Err(Wrong::Required));
        assert_eq!(Words::parse(" 　\t"), Err(Wrong::Required));
        assert_eq!(words(&"あ".repeat(100)).len(), 1);
        assert_eq!(Words::parse(&"あ".repeat(101)), Err(Wrong::TooLong));
        assert_eq!(Words::parse("a\0"), Err(Wrong::InvalidFormat));
    }

    #[test]
    fn signs_of_like_stand_for_themselves() {
        let words = Words::parse(r"50% a_b c:\d").unwrap();
        assert_eq!(words.patterns(), [r"%50\%%", r"%a\_b%", r"%c:\\d%"]);
        assert_eq!(words.beginning(), r"50\%%");
    }

    #[test]
    fn a_text_has_the_pieces_of_every_word_in_it() {
        let kept = grams(&text(["二次方程式 にじほうていしき"]));
        for typed in ["二", "二次", "方程式", "ニジ", "次方 ていしき"] {
            let asked = Words::parse(typed).unwrap().grams();
            assert!(!asked.is_empty() && asked.iter().all(|gram| kept.contains(gram)), "{typed}: {asked:?}");
        }
        assert_eq!(Words::parse("方程 次").unwrap().grams(), ["方程", "次"]);
        // Words are not joined.
        assert_eq!(grams("a bc"), ["a", "b", "bc", "c"]);
    }
}
