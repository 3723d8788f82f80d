//! The markup of content: paragraphs and lists separated by empty lines, headings (`## `), list items (`- `) and links
//! (`[text](/path or https://…)`). There is no other markup.

/// Finds faults, each with its line number from 0.
pub(crate) fn find_faults(text: &str) -> Vec<(u64, &'static str)> {
    let mut faults = Vec::new();
    let mut before = LineKind::Empty;
    for (number, line) in (0..).zip(text.lines()) {
        let kind = LineKind::from_line(line);
        let mut fault = |reason| faults.push((number, reason));
        if !kind.may_follow(before) {
            fault("needs an empty line before it");
        }
        if let Some(reason) = find_unknown_markup(line) {
            fault(reason);
        }
        if let Some(reason) = find_wrong_link(line) {
            fault(reason);
        }
        before = kind;
    }
    faults
}

#[derive(Clone, Copy, PartialEq)]
enum LineKind {
    Empty,
    Heading,
    Item,
    Paragraph,
}

impl LineKind {
    fn from_line(line: &str) -> Self {
        match line {
            "" => Self::Empty,
            line if line.starts_with("## ") => Self::Heading,
            line if line.starts_with("- ") => Self::Item,
            _ => Self::Paragraph,
        }
    }

    fn may_follow(self, before: Self) -> bool {
        match self {
            Self::Empty => true,
            Self::Heading => before == Self::Empty,
            Self::Item | Self::Paragraph => before == Self::Empty || before == self,
        }
    }
}

/// Finds markup of other languages, which would be shown as plain text.
fn find_unknown_markup(line: &str) -> Option<&'static str> {
    let rest = line.strip_prefix("## ").or_else(|| line.strip_prefix("- ")).unwrap_or(line);
    if line != line.trim_end() || rest != rest.trim_start() {
        return Some("begins or ends with a space");
    }
    if rest.starts_with(['#', '-', '*', '>', '|']) || rest.starts_with("```") {
        return Some("begins with markup that is not supported");
    }
    let is_tag =
        |after: &str| after.starts_with(|sign: char| sign.is_ascii_alphabetic() || "/!".contains(sign));
    if line.split('<').skip(1).any(is_tag) {
        return Some("contains an HTML tag, which would be shown as text");
    }
    if line.contains("**") || line.contains("__") {
        return Some("contains emphasis markup, which would be shown as text");
    }
    None
}

fn find_wrong_link(line: &str) -> Option<&'static str> {
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((_, words)) = before.rsplit_once('[') else {
            return Some("has a link target without a link text");
        };
        let Some((target, following)) = after.split_once(')') else {
            return Some("has a link that is not closed");
        };
        if words.is_empty() || before.ends_with(&format!("![{words}")) {
            return Some("has a link without text, or a picture");
        }
        let is_path = target.starts_with('/') && !target.starts_with("//");
        if !(is_path || target.starts_with("https://"))
            || target
                .contains(|sign: char| sign.is_whitespace() || sign.is_control() || "\\<>\"".contains(sign))
        {
            return Some("has a link that is neither a path of the site nor an https address");
        }
        rest = following;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::find_faults;

    #[test]
    fn paragraphs_lists_headings_and_links_are_valid() {
        let text = "始めます。\n続きです。\n\n## 見出し\n\n- 一つ目 [設定](/mypage/settings)\n- 二つ目\n\n\
                    [外](https://www.example.jp/a?b=c)をご覧ください。5 < 6 です。";
        assert!(find_faults(text).is_empty(), "{:?}", find_faults(text));
    }

    #[test]
    fn other_markup_is_reported_with_its_line() {
        #[rustfmt::skip]
        let table = [
            ("文\n- 項目", 1, "needs an empty line before it"),
            ("文\n## 見出し", 1, "needs an empty line before it"),
            ("## 見出し\n文", 1, "needs an empty line before it"),
            ("\n# 見出し", 1, "begins with markup that is not supported"),
            ("### 見出し", 0, "begins with markup that is not supported"),
            ("* 項目", 0, "begins with markup that is not supported"),
            ("文 ", 0, "begins or ends with a space"),
            ("<b>文</b>", 0, "contains an HTML tag, which would be shown as text"),
            ("これは**文**です", 0, "contains emphasis markup, which would be shown as text"),
            ("[文](javascript:alert(1))", 0, "has a link that is neither a path of the site nor an https address"),
            ("[文](//evil.example/)", 0, "has a link that is neither a path of the site nor an https address"),
            ("[文](http://a.example/)", 0, "has a link that is neither a path of the site nor an https address"),
            ("[文](/a b)", 0, "has a link that is neither a path of the site nor an https address"),
            ("[文](/a", 0, "has a link that is not closed"),
            ("文](/a)", 0, "has a link target without a link text"),
            ("![絵](/a.png)", 0, "has a link without text, or a picture"),
            ("[](/a)", 0, "has a link without text, or a picture"),
        ];
        for (text, line, wanted) in table {
            assert_eq!(find_faults(text), [(line, wanted)], "{text}");
        }
    }
}
