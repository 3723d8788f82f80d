//! Finds the metrics in a `PromQL` expression.

/// Keywords that can stand at the place of a metric.
const WORDS: [&str; 10] = ["and", "or", "unless", "bool", "offset", "atan2", "inf", "nan", "start", "end"];
/// Keywords that precede a list of labels.
const LISTS: [&str; 6] = ["by", "without", "on", "ignoring", "group_left", "group_right"];

/// A metric and the labels that select its series.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Selector {
    pub(super) metric: String,
    pub(super) labels: Vec<String>,
}

/// Finds every metric of an expression, in order.
pub(super) fn find_selectors(expression: &str) -> Vec<Selector> {
    let plain = without_strings(expression);
    let mut all = Vec::new();
    let mut rest = plain.as_str();
    while let Some(start) = rest.find(|one| is_first(one) || "{[".contains(one)) {
        let after_digit = rest[..start].ends_with(|before: char| before.is_ascii_digit() || before == '.');
        rest = &rest[start..];
        if rest.starts_with(['{', '[']) {
            rest = rest.split_once(['}', ']']).map_or("", |(_, rest)| rest);
            continue;
        }
        let (word, after) = rest.split_at(rest.find(|one| !is_inner(one)).unwrap_or(rest.len()));
        let next = after.trim_start();
        let is_called = next.starts_with('(') || ["by", "without"].iter().any(|word| is_word(next, word));
        rest = next;
        if LISTS.contains(&word) {
            rest =
                next.strip_prefix('(').and_then(|list| list.split_once(')')).map_or(next, |(_, rest)| rest);
        } else if !is_called && !after_digit && !WORDS.contains(&word.to_lowercase().as_str()) {
            let matchers =
                next.strip_prefix('{').and_then(|matchers| matchers.split('}').next()).unwrap_or_default();
            let labels = matchers.split(|one| !is_inner(one)).filter(|label| label.starts_with(is_first));
            all.push(Selector { metric: word.to_owned(), labels: labels.map(str::to_owned).collect() });
        }
    }
    all
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

/// Removes strings and comments.
fn without_strings(expression: &str) -> String {
    let mut plain = String::new();
    let mut characters = expression.chars();
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
            _ => plain.push(one),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_metrics_are_found() {
        let found = |expression: &str| {
            find_selectors(expression).into_iter().map(|one| one.metric).collect::<Vec<_>>()
        };
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

    #[test]
    fn labels_belong_to_the_metric_before_them() {
        let found = find_selectors(r#"rate(a_total{code=~"5..|x{y}", job!="edge"}[5m]) / b"#);
        let labels: Vec<Vec<String>> = found.into_iter().map(|one| one.labels).collect();
        assert_eq!(labels, [vec!["code".to_owned(), "job".to_owned()], Vec::new()]);
    }
}
