//! The path patterns of `routes.json`, e.g. `/mypage/learnning/:id`.

/// A path with parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern(Vec<Segment>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    Literal(String),
    Parameter(String),
}

impl Pattern {
    /// Parses `/a/:b`. `None` if it does not begin with `/` or has an empty segment.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix('/')?;
        if rest.is_empty() {
            return Some(Self(Vec::new()));
        }
        let segments = rest.split('/').map(|segment| match segment.strip_prefix(':') {
            Some("") => None,
            Some(name) => Some(Segment::Parameter(name.to_owned())),
            None => (!segment.is_empty()).then(|| Segment::Literal(segment.to_owned())),
        });
        segments.collect::<Option<_>>().map(Self)
    }

    /// Whether the path of a request, not decoded, matches.
    pub(crate) fn matches(&self, path: &str) -> bool {
        let Some(rest) = path.strip_prefix('/') else { return false };
        if self.0.is_empty() {
            return rest.is_empty();
        }
        let mut segments = rest.split('/');
        let all = self.0.iter().all(|expected| {
            segments.next().is_some_and(|segment| match expected {
                Segment::Literal(literal) => literal == segment,
                Segment::Parameter(_) => is_safe_value(segment),
            })
        });
        all && segments.next().is_none()
    }

    /// The name in traces, e.g. `/mypage/learnning/{id}`.
    pub(crate) fn to_template(&self) -> String {
        if self.0.is_empty() {
            return "/".to_owned();
        }
        let segments = self.0.iter().map(|segment| match segment {
            Segment::Literal(literal) => format!("/{literal}"),
            Segment::Parameter(name) => format!("/{{{name}}}"),
        });
        segments.collect()
    }
}

/// Whether a segment is safe as a value: after percent-decoding it is not empty, has no control characters and is no
/// path to another folder.
fn is_safe_value(segment: &str) -> bool {
    let Some(value) = decode_percent(segment) else { return false };
    !matches!(value.as_slice(), b"" | b"." | b"..")
        && !value.iter().any(|byte| byte.is_ascii_control() || matches!(byte, b'/' | b'\\'))
}

/// Percent-decodes a text once. `None` for an incomplete sequence.
fn decode_percent(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let (digits, after) = after.split_at_checked(2)?;
            let digit = |byte: u8| char::from(byte).to_digit(16);
            bytes.push(u8::try_from(digit(digits[0])? * 16 + digit(digits[1])?).ok()?);
            rest = after;
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn parameters_take_one_segment() {
        let pattern = Pattern::parse("/mypage/learnning/:id").unwrap();
        assert!(pattern.matches("/mypage/learnning/7"));
        assert!(pattern.matches("/mypage/learnning/%E6%95%B0%E5%AD%A6"));
        for other in ["/mypage/learnning", "/mypage/learnning/", "/mypage/learnning/7/8", "/mypage//7", "//7"]
        {
            assert!(!pattern.matches(other), "{other}");
        }
        assert_eq!(pattern.to_template(), "/mypage/learnning/{id}");
    }

    #[test]
    fn unsafe_values_of_parameters_are_refused() {
        let pattern = Pattern::parse("/course/:id").unwrap();
        for trick in
            ["..", "%2e%2E", ".", "%00", "a%0d%0a", "%2f%2fevil", "%5Cevil", "%", "%4", "%zz", "%e3%"]
        {
            assert!(!pattern.matches(&format!("/course/{trick}")), "{trick}");
        }
    }

    #[test]
    fn the_root_is_only_itself() {
        let root = Pattern::parse("/").unwrap();
        assert!(root.matches("/"));
        assert!(!root.matches("//") && !root.matches("/course") && !root.matches("*"));
        assert_eq!(root.to_template(), "/");
    }

    #[test]
    fn invalid_patterns_are_refused() {
        for text in ["", "course", "//", "/course/", "/:"] {
            assert_eq!(Pattern::parse(text), None, "{text}");
        }
    }
}
