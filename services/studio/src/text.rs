//! Line breaking of Japanese text.

/// Characters that must not begin a line.
const STAYS: &str = "、。，．・？！?!」』）)】〉》：；:;ー〜…ぁぃぅぇぉっゃゅょァィゥェォッャュョ%％²";
/// Characters that must not end a line.
const OPENS: &str = "「『（(【〈《";

/// Characters that join Latin letters and digits to one word.
const JOINS: &str = "'-−+=^/.²";

/// Width of a character relative to the font size; not less than in the font.
fn width(character: char) -> f32 {
    match character {
        'm' | 'w' | 'M' | 'W' => 0.9,
        'i' | 'j' | 'l' | 'I' | '.' | ',' | '\'' | ' ' => 0.36,
        ' '..='~' => 0.64,
        _ => 1.0,
    }
}

/// Splits text into words of Latin letters and digits, and single other characters.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut stays = false;
    for character in text.chars() {
        let is_latin = character.is_ascii_alphanumeric() || JOINS.contains(character);
        let joins = pieces.last().is_some_and(|piece: &String| {
            let last = piece.chars().last().unwrap_or(' ');
            (is_latin && (last.is_ascii_alphanumeric() || JOINS.contains(last)))
                || STAYS.contains(character)
                || stays
        });
        stays = OPENS.contains(character);
        match pieces.last_mut() {
            Some(piece) if joins => piece.push(character),
            _ => pieces.push(character.to_string()),
        }
    }
    pieces
}

/// Breaks `text` into the fewest lines of at most `most` times the font size, of about the same length.
pub(crate) fn lines(text: &str, most: f32) -> Vec<String> {
    let pieces = pieces(text);
    let widest = broken(&pieces, most);
    if widest.len() < 2 {
        return widest;
    }
    #[expect(clippy::cast_precision_loss, reason = "a few lines")]
    let mut least = text.chars().map(width).sum::<f32>() / widest.len() as f32;
    while least < most {
        let lines = broken(&pieces, least);
        if lines.len() == widest.len() {
            return lines;
        }
        least += 1.0;
    }
    widest
}

/// Fills each line as far as possible.
fn broken(pieces: &[String], most: f32) -> Vec<String> {
    let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0.0);
    for piece in pieces {
        let wide: f32 = piece.chars().map(width).sum();
        if used + wide > most && !line.is_empty() {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            used = 0.0;
        }
        if !(line.is_empty() && piece == " ") {
            line.push_str(piece);
            used += wide;
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// Escapes `text` for XML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_line_begins_with_what_closes_or_ends_with_what_opens() {
        let text = "日本語と英語の語順のちがいを知り、主語を「見つけられる」ようになります。";
        for most in 4_u8..30 {
            let lines = lines(text, f32::from(most));
            assert_eq!(lines.concat(), text);
            for line in &lines {
                assert!(!line.starts_with(|first| STAYS.contains(first)), "{line}");
                assert!(!line.ends_with(|last| OPENS.contains(last)), "{line}");
            }
        }
    }

    #[test]
    fn lines_are_of_about_the_same_length() {
        assert_eq!(
            lines("推量の「む・べし・らむ・けむ・まし」", 17.0),
            ["推量の「む・べし・", "らむ・けむ・まし」"]
        );
    }

    #[test]
    fn a_word_of_latin_letters_stays_whole() {
        assert_eq!(lines("He is my brother.", 6.0), ["He is my", "brother."]);
    }
}
