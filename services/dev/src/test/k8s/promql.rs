//! Which metrics an expression of Prometheus asks for.

/// Words of the language that stand where a metric could.
const WORDS: [&str; 10] = ["and", "or", "unless", "bool", "offset", "atan2", "inf", "nan", "start", "end"];
/// Behind these comes a list of labels.
const LISTS: [&str; 6] = ["by", "without", "on", "ignoring", "group_left", "group_right"];

/// The metrics' names, in the order in which they stand.
pub(super) fn metrics(expression: &str) -> Vec<String> {
    let plain = plain(expression);
    let mut names: Vec<String> = Vec::new();
    let mut rest = plain.as_str();
    while let Some(start) = rest.find(is_first) {
        let digits =
            rest[..start].chars().next_back().is_some_and(|before| before.is_ascii_digit() || before == '.');
        rest = &rest[start..];
        let (word, after) = rest.split_at(rest.find(|one| !is_inner(one)).unwrap_or(rest.len()));
        let next = after.trim_start();
        let called = next.starts_with('(') || ["by", "without"].iter().any(|word| is_word(next, word));
        rest = after;
        if LISTS.contains(&word) {
            let list = after.trim_start();
            rest =
                list.strip_prefix('(').and_then(|list| list.split_once(')')).map_or(list, |(_, rest)| rest);
        } else if !called && !digits && !WORDS.contains(&word.to_lowercase().as_str()) {
            names.push(word.to_owned());
        }
    }
    names
}

fn is_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_inner))
}

fn is_first(one: char) -> bool {
    one.is_ascii_alphabetic() || one == '_' || one == ':'
}

fn is_inner(one: char) -> bool {
    is_first(one) || one.is_ascii_digit()
}

/// Without strings, comments, and what stands in braces and brackets.
fn plain(expression: &str) -> String {
    let mut plain = String::new();
    let mut characters = expression.chars();
    let mut depth = 0_usize;
    while let Some(one) = characters.next() {
        match one {
            '"' | '\'' | '`' => {
                let mut escaped = false;
                for inner in characters.by_ref() {
                    if inner == one && !escaped {
                        break;
                    }
                    escaped = inner == '\\' && !escaped;
                }
            }
            '#' => {
                characters.by_ref().find(|inner| *inner == '\n');
            }
            '{' | '[' => depth += 1,
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                plain.push(' ');
            }
            _ if depth == 0 => plain.push(one),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_nothing_else() {
        let found = |expression: &str| metrics(expression);
        assert_eq!(found("up == 0"), ["up"]);
        assert_eq!(
            found(
                r#"sum by (http_route) (rate(http_requests_total{code=~"5..|429"}[5m])) / sum(rate(other_total[1h30m]))"#
            ),
            ["http_requests_total", "other_total"]
        );
        assert_eq!(
            found(
                "histogram_quantile(0.99, sum without(pod) (job:latency_bucket:rate5m)) > 0.5 and on (pod) up"
            ),
            ["job:latency_bucket:rate5m", "up"]
        );
        assert_eq!(found("a * on(x) group_left(version) b offset 5m unless c"), ["a", "b", "c"]);
        assert_eq!(
            found("time() - process_start_time_seconds > bool 1e3 # comment up"),
            ["process_start_time_seconds"]
        );
        assert_eq!(found(r#"label_replace(x, "y", "$1", "z", "(.*)")"#), ["x"]);
    }
}
