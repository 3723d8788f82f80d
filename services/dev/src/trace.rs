//! `cargo dev trace`: prints the span tree of a request, from the edge to the SQL.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use runner::control::Control;
use runner::places;
use runner::spans::Span;
use runner::state::State;
use tooling::failure::{Outcome, fail};

use crate::cli;

/// Longest time until a new trace has arrived. Exporters send every few seconds.
const ARRIVAL_LIMIT: Duration = Duration::from_secs(7);
/// Polling interval until then.
const ARRIVAL_POLL: Duration = Duration::from_millis(200);
/// Attributes that are printed.
const SHOWN: [&str; 9] = [
    "http.response.status_code",
    "rpc.response.status_code",
    "rpc.grpc.status_code",
    "db.query.summary",
    "error.type",
    "error.code",
    "exception.message",
    "url.path",
    "url.query",
];

/// Prints the tree of the trace `id` of the running product.
pub(crate) async fn print(arguments: &cli::Trace) -> Outcome {
    let Some(id) = trace_id(&arguments.id) else {
        return fail(format!(
            "'{}' is neither a trace id (32 hexadecimal digits) nor a traceparent (00-…-…-01)",
            arguments.id
        ));
    };
    let root = places::state(arguments.at.state.as_deref());
    let control = Control::open(State::existing(&root)?.as_ref())?;
    let begun = Instant::now();
    let mut spans = control.trace(&id).await?;
    // The root span is the last to end, so it arrives last.
    while top(&spans).is_none() && begun.elapsed() < ARRIVAL_LIMIT {
        tokio::time::sleep(ARRIVAL_POLL).await;
        spans = control.trace(&id).await?;
    }
    if spans.is_empty() {
        return fail(format!(
            "no span of {id} has arrived: only the last 50,000 spans since the start of the product are kept, and \
             requests that the edge sheds (429 OVERLOADED) have none"
        ));
    }
    print!("{}", tree(&spans));
    Ok(())
}

/// Extracts the trace id from pasted text.
fn trace_id(text: &str) -> Option<String> {
    let text = text.trim();
    let id = if text.len() == 32 { text } else { text.split('-').nth(1)? };
    let id = id.to_ascii_lowercase();
    (id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(id)
}

/// Returns the root span, which is the edge's.
fn top(spans: &[Span]) -> Option<&Span> {
    spans.iter().find(|span| span.service == "edge" && span.kind == "SERVER")
}

/// Formats one line for each span, children below their parents, ordered by start time.
fn tree(spans: &[Span]) -> String {
    let known: HashSet<&str> = spans.iter().map(|span| span.id.as_str()).collect();
    let start = spans.iter().map(|span| span.start).min().unwrap_or_default();
    let mut lines = String::new();
    for span in spans.iter().filter(|span| !known.contains(span.parent_id.as_str())) {
        branch(spans, span, start, 0, &mut lines);
    }
    lines
}

fn branch(spans: &[Span], span: &Span, start: u64, depth: usize, lines: &mut String) {
    let milliseconds = |nanoseconds: u64| Duration::from_nanos(nanoseconds).as_secs_f64() * 1000.0;
    let label = format!("{}{} {} {}", "  ".repeat(depth), span.service, span.name, span.kind);
    let _ = write!(
        lines,
        "{:<64} {:>9.2} ms  at {:>8.2}",
        label.trim_end(),
        milliseconds(span.end.saturating_sub(span.start)),
        milliseconds(span.start.saturating_sub(start))
    );
    if span.failed {
        lines.push_str("  FAILED");
    }
    for (name, value) in &span.attributes {
        if SHOWN.contains(&name.as_str()) {
            let _ = write!(lines, "  {name}={value}");
        }
    }
    lines.push('\n');
    // Received spans are not trusted to be free of cycles.
    if depth < spans.len() {
        for child in spans.iter().filter(|child| child.parent_id == span.id) {
            branch(spans, child, start, depth + 1, lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(id: &str, parent: &str, service: &str, name: &str, start: u64, end: u64) -> Span {
        Span {
            id: id.into(),
            parent_id: parent.into(),
            service: service.into(),
            name: name.into(),
            start,
            end,
            ..Span::default()
        }
    }

    #[test]
    fn a_trace_id_is_taken_bare_or_within_a_traceparent() {
        let id = "0af7651916cd43dd8448eb211c80319c";
        assert_eq!(trace_id(id).as_deref(), Some(id));
        assert_eq!(trace_id(&format!("00-{id}-b7ad6b7169203331-01")).as_deref(), Some(id));
        assert_eq!(trace_id(&id.to_ascii_uppercase()).as_deref(), Some(id));
        assert_eq!(trace_id("00-12-34-01"), None);
        assert_eq!(trace_id("../../state"), None);
    }

    #[test]
    fn the_tree_shows_children_below_their_parents() {
        let mut sql = span("c", "b", "lms", "SELECT inventory", 3_000_000, 4_000_000);
        sql.attributes =
            vec![("db.query.summary".into(), "SELECT inventory".into()), ("thread.id".into(), "4".into())];
        let mut call = span("b", "a", "lms", "lms.v1.InventoryService/ListInventory", 2_000_000, 4_500_000);
        call.failed = true;
        let top = span("a", "browser", "edge", "GET /api/lms/inventory/", 1_000_000, 5_000_000);
        let tree = tree(&[top, call, sql]);
        let lines: Vec<&str> = tree.lines().collect();
        assert!(lines[0].starts_with("edge GET /api/lms/inventory/ "), "{tree}");
        assert!(lines[0].contains("4.00 ms  at     0.00"), "{tree}");
        assert!(lines[1].starts_with("  lms lms.v1.InventoryService/ListInventory"), "{tree}");
        assert!(lines[1].ends_with("FAILED"), "{tree}");
        assert!(lines[2].starts_with("    lms SELECT inventory "), "{tree}");
        assert!(lines[2].ends_with("db.query.summary=SELECT inventory"), "{tree}");
    }
}
