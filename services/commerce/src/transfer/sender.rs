//! Compares senders' names. Banks send them in half-width katakana, without small letters and with
//! bank-specific spellings.

use unicode_normalization::UnicodeNormalization as _;

/// Whether a sender's name differs from the buyer's name in katakana. Returns `false` if the buyer
/// has no such name.
pub(crate) fn is_other_name(sender: &str, kana: &str) -> bool {
    let kana = normalise(kana);
    !kana.is_empty() && normalise(sender) != kana
}

/// Normalises a name to the letters that banks distinguish: large katakana without spaces, dots and
/// long vowel marks.
fn normalise(name: &str) -> String {
    let is_dropped = |char: char| {
        char.is_whitespace() || matches!(char, 'ー' | '-' | '‐' | '‑' | '–' | '—' | '―' | '−' | '・' | '.')
    };
    name.nfkc().filter(|&char| !is_dropped(char)).map(to_large_katakana).collect()
}

fn to_large_katakana(char: char) -> char {
    let katakana = match char {
        // The Unicode blocks of hiragana and katakana are 96 code points apart.
        'ぁ'..='ゖ' => char::from_u32(u32::from(char) + 96).unwrap_or(char),
        other => other,
    };
    match katakana {
        'ァ' => 'ア',
        'ィ' => 'イ',
        'ゥ' => 'ウ',
        'ェ' => 'エ',
        // Banks have no ヲ.
        'ォ' | 'ヲ' => 'オ',
        'ッ' => 'ツ',
        'ャ' => 'ヤ',
        'ュ' => 'ユ',
        'ョ' => 'ヨ',
        'ヮ' => 'ワ',
        'ヵ' => 'カ',
        'ヶ' => 'ケ',
        other => other.to_ascii_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_other_name;

    #[test]
    fn a_sender_is_compared_as_banks_write_names() {
        for (sender, kana) in [
            ("ｱｵｲ ﾀﾛｳ", "アオイ タロウ"),
            ("ｱｵｲﾀﾛｳ", "アオイ　タロウ"),
            ("アオイ タロウ", "あおい たろう"),
            ("ｵｵﾉ ｼﾕﾝｲﾁ", "オオノ シュンイチ"),
            ("ｶﾄ- ﾘﾖ-ｺ", "カトー リョーコ"),
            ("ｶﾄｰ ﾘﾖｰｺ", "カトー リョーコ"),
            ("ｻﾂﾎﾟﾛ ｶｵﾙ", "サッポロ カヲル"),
            ("ﾏﾂﾀﾞ ﾏｲｹﾙ J", "マツダ マイケル j"),
            ("ﾀﾞﾚﾃﾞﾓ ﾅｲ", ""),
        ] {
            assert!(!is_other_name(sender, kana), "{sender} {kana}");
        }
        for (sender, kana) in [
            ("ﾔﾏﾀﾞ ﾊﾅｺ", "アオイ タロウ"),
            ("ｱｵｲ ﾀﾛ", "アオイ タロウ"),
            ("ｶ)ｱｵｲ", "アオイ タロウ"),
            ("", "アオイ タロウ"),
            ("ｶﾂﾀ", "カッダ"),
        ] {
            assert!(is_other_name(sender, kana), "{sender} {kana}");
        }
    }
}
