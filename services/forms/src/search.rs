//! Full-text search in Japanese without a dictionary: one normal form for texts and queries, and an index of bigrams.
//!
//! The search text is stored beside the original text, in the form of [`text`]: NFKC, lower case, hiragana as katakana,
//! kanji digits as digits, one space between words. Queries have the same form, so `すうがく` finds `スウガク` and the reverse,
//! `ＡＢＣ` finds `abc`, and `２次` finds `二次`. A kanji is found by its reading only if an author wrote the reading beside
//! it.
//!
//! A text matches if it contains every word: `text LIKE ALL (patterns)`. For many rows, `grams @> grams` lets a GIN
//! index on a `text[]` of [`grams`] find the candidates. A trigram index (`pg_trgm`) does not find words of one or two
//! characters, which most Japanese queries are.
//!
//! Japanese has no spaces, so kana are also found inside other words: `りか` in `広がりから`. A text of [`shown`] and
//! [`reading`] has a space at the start of every word, and [`Words::kana_at_starts`] finds `りか` only there.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization as _;

use crate::{Wrong, katakana, pattern};

/// The longest query, in characters.
pub const QUERY_LIMIT: usize = 100;

/// Marks the start of a word in its grams. NFKC removes this character from texts.
const START: char = '＾';

static KATAKANA_WORD: LazyLock<Regex> = LazyLock::new(|| pattern("[ァ-ヺ][ァ-ヺー]+"));

/// Joins `parts` in normal form.
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

/// A displayed text in normal form, followed by its katakana words that begin inside other words: `関数のグラフ` is also
/// found at the start of `グラフ`.
#[must_use]
pub fn shown(part: &str) -> String {
    let wide: String = part.nfkc().collect();
    let words: BTreeSet<&str> = KATAKANA_WORD.find_iter(&wide).map(|word| word.as_str()).collect();
    text([part].into_iter().chain(words))
}

/// A reading in normal form: for each of its words, the text from its start to the end: `せいふの すう` is `セイフノスウ スウ`.
/// Authors separate the words by spaces, `・` or `、`.
#[must_use]
pub fn reading(part: &str) -> String {
    let folded = folded(part);
    let words: Vec<&str> = folded.split_inclusive([' ', '・', '、']).map(str::trim_end).collect();
    let ends: Vec<String> = (0..words.len()).map(|first| words[first..].concat()).collect();
    text(ends.iter().map(String::as_str))
}

/// Every character and every bigram of the words of a normal form, including the start of a word with its first
/// character. Sorted, without duplicates.
#[must_use]
pub fn grams(text: &str) -> Vec<String> {
    let mut grams = BTreeSet::new();
    for word in text.split(' ') {
        let mut before = START;
        for char in word.chars() {
            grams.insert(String::from(char));
            grams.insert(String::from_iter([before, char]));
            before = char;
        }
    }
    grams.into_iter().collect()
}

/// The words of a query in normal form, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    words: Vec<String>,
    /// Whether words of kana match only where a word begins.
    kana_at_starts: bool,
}

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
        if words.is_empty() { Err(Wrong::Required) } else { Ok(Self { words, kana_at_starts: false }) }
    }

    /// The same words, with kana words matched only at the start of a word. `None` if no word consists of kana only.
    #[must_use]
    pub fn kana_at_starts(&self) -> Option<Self> {
        let words = &self.words;
        words.iter().any(|word| is_kana(word)).then(|| Self { words: words.clone(), kana_at_starts: true })
    }

    fn is_at_starts(&self, word: &str) -> bool {
        self.kana_at_starts && is_kana(word)
    }

    /// The patterns for `LIKE ALL`, for texts with a leading space. `%`, `_` and `\` are escaped.
    #[must_use]
    pub fn patterns(&self) -> Vec<String> {
        let pattern = |word: &String| {
            let start = if self.is_at_starts(word) { " " } else { "" };
            format!("%{start}{}%", escaped(word))
        };
        self.words.iter().map(pattern).collect()
    }

    /// The pattern for `LIKE` of texts that begin with the first word, to sort them first.
    #[must_use]
    pub fn beginning(&self) -> String {
        self.words.first().map_or_else(String::new, |word| format!("{}%", escaped(word)))
    }

    /// The grams for `@>`: a necessary condition, so `LIKE` must follow.
    #[must_use]
    pub fn grams(&self) -> Vec<String> {
        let pieces = self.words.iter().flat_map(|word| {
            let start = self.is_at_starts(word).then_some(START);
            let chars: Vec<char> = start.into_iter().chain(word.chars()).collect();
            // The bigrams of a word contain its characters.
            chars.windows(chars.len().min(2)).map(String::from_iter).collect::<Vec<_>>()
        });
        pieces.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Normalises width, case, kana and digits. A wide space becomes a plain one.
fn folded(text: &str) -> String {
    text.nfkc().collect::<String>().to_lowercase().chars().map(katakana).map(digit).collect()
}

/// Converts kanji digits to digits; other characters are unchanged.
fn digit(char: char) -> char {
    let value = "〇一二三四五六七八九".chars().zip('0'..='9').find(|(kanji, _)| *kanji == char);
    value.map_or(char, |(_, digit)| digit)
}

/// Whether a word in normal form consists of kana only.
fn is_kana(word: &str) -> bool {
    word.chars().all(|char| matches!(char, 'ァ'..='ヺ' | 'ー'))
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
        Words::parse(typed).unwrap().words
    }

    #[test]
    fn what_is_kept_has_one_width_one_case_and_one_kana() {
        assert_eq!(text(["ｶﾞｸｼｭｳ　Ｂe動詞", "", " すうがく\n数学 "]), "ガクシュウ be動詞 スウガク 数学");
        assert_eq!(text(["y＝ax²"]), "y=ax2");
        assert_eq!(text(["二次 ２次 2次 十一"]), "2次 2次 2次 十1");
        assert_eq!(text([]), "");
    }

    #[test]
    fn a_shown_text_is_found_where_its_katakana_begin() {
        assert_eq!(shown("1次関数のグラフと、Yのグラフ"), "1次関数ノグラフト、yノグラフ グラフ");
        assert_eq!(shown("はじめに"), "ハジメニ");
    }

    #[test]
    fn a_reading_is_found_where_its_words_begin() {
        assert_eq!(reading("せいふの すうと　もじ"), "セイフノスウトモジ スウトモジ モジ");
        assert_eq!(reading("でんりゅう・ねつ"), "デンリュウ・ネツ ネツ");
        assert_eq!(reading(""), "");
    }

    #[test]
    fn kana_match_where_a_word_begins_and_all_else_anywhere() {
        let anywhere = Words::parse("りか 電流").unwrap();
        let at_starts = anywhere.kana_at_starts().unwrap();
        assert_eq!(anywhere.patterns(), ["%リカ%", "%電流%"]);
        assert_eq!(at_starts.patterns(), ["% リカ%", "%電流%"]);
        assert_eq!(at_starts.grams(), ["リカ", "電流", "＾リ"]);
        assert_eq!(Words::parse("電流 be動詞").unwrap().kana_at_starts(), None);
    }

    #[test]
    fn words_are_separated_by_any_space_without_duplicates() {
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
    fn like_wildcards_are_escaped() {
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
        assert_eq!(grams("a bc"), ["a", "b", "bc", "c", "＾a", "＾b"]);
    }
}
