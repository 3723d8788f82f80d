//! Measures what the response cache saves: an inventory page assembled from compressed courses, compared with
//! serializing and compressing the whole page for each response.

use std::hint::black_box;
use std::io::Write as _;
use std::net::SocketAddr;
use std::time::Instant;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use kit::response_cache::{AssembledJson, CachedJson};
use runner::http;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use tooling::failure::{Doing as _, Outcome, fail};

use super::pages::Learner;

/// Pages in each turn.
const PAGES: u32 = 200;
const TURNS: usize = 5;

/// A page with cached courses. Everything else is new for each response.
struct Page {
    counts: Map<String, Value>,
    items: Vec<Item>,
}

struct Item {
    holding: Map<String, Value>,
    course: CachedJson,
    plain: Box<RawValue>,
}

/// Prints time and size of a real page, built in four ways in alternation.
pub(super) async fn measure(edges: &[SocketAddr], learners: &[Learner]) -> Outcome {
    let Some(learner) = learners.first() else { return fail("no learner is signed in") };
    let (status, body) = http::get(edges[0], "/api/lms/inventory/", Some(&learner.token)).await?;
    let page: Value = serde_json::from_slice(&body).doing(|| format!("the inventory answers {status}"))?;
    let page = Page::from_value(page)?;
    let ways: [(&str, Way); 4] = [
        ("response cache", Page::assemble),
        ("whole body, deflate, fast", |page| page.compress(Compression::fast())),
        ("whole body, deflate, default", |page| page.compress(Compression::default())),
        ("whole body, uncompressed", Page::write),
    ];
    let mut times = [const { Vec::new() }; 4];
    let mut sizes = [0; 4];
    for _ in 0..TURNS {
        for (number, (_, way)) in ways.iter().enumerate() {
            let begun = Instant::now();
            for _ in 0..PAGES {
                sizes[number] = black_box(way(black_box(&page)))?.len();
            }
            times[number].push(begun.elapsed().as_secs_f64() * 1_000_000.0 / f64::from(PAGES));
        }
    }
    println!("\na page of {} courses, median of {TURNS} turns of {PAGES}:", page.items.len());
    let mut medians = [0.0; 4];
    for (number, (name, _)) in ways.iter().enumerate() {
        times[number].sort_by(f64::total_cmp);
        medians[number] = times[number][TURNS / 2];
        println!("  {name:<29} {:>8.1} µs {:>8} bytes", medians[number], sizes[number]);
    }
    println!("  the response cache saves {:.1} µs of the fast compression", medians[1] - medians[0]);
    Ok(())
}

type Way = fn(&Page) -> serde_json::Result<Vec<u8>>;

impl Page {
    fn from_value(page: Value) -> Outcome<Self> {
        let Value::Object(mut counts) = page else { return fail("a page is an object") };
        let Some(Value::Array(results)) = counts.remove("results") else { return fail("a page has results") };
        let items = results.into_iter().map(Item::from_value).collect::<Outcome<_>>()?;
        Ok(Self { counts, items })
    }

    /// Assembles the page as the edge does.
    fn assemble(&self) -> serde_json::Result<Vec<u8>> {
        let mut assembled = AssembledJson::default();
        assembled.push_fields(&self.counts)?;
        assembled.push_text(",\"results\":[");
        for (place, item) in self.items.iter().enumerate() {
            if place > 0 {
                assembled.push_text(",");
            }
            assembled.push_fields(&item.holding)?;
            assembled.push_text(",\"course\":");
            assembled.push_cached(&item.course);
            assembled.push_text("}");
        }
        assembled.push_text("]}");
        Ok(assembled.to_deflate())
    }

    /// Serializes the page with courses that are serialized already, as any cache could hold them.
    fn write(&self) -> serde_json::Result<Vec<u8>> {
        let mut body = Vec::new();
        serde_json::to_writer(&mut body, &self.counts)?;
        body.pop();
        body.extend_from_slice(b",\"results\":[");
        for (place, item) in self.items.iter().enumerate() {
            if place > 0 {
                body.push(b',');
            }
            serde_json::to_writer(&mut body, &item.holding)?;
            body.pop();
            body.extend_from_slice(b",\"course\":");
            body.extend_from_slice(item.plain.get().as_bytes());
            body.push(b'}');
        }
        body.extend_from_slice(b"]}");
        Ok(body)
    }

    fn compress(&self, level: Compression) -> serde_json::Result<Vec<u8>> {
        let mut encoder = ZlibEncoder::new(Vec::new(), level);
        encoder.write_all(&self.write()?).and_then(|()| encoder.finish()).map_err(serde_json::Error::io)
    }
}

impl Item {
    fn from_value(item: Value) -> Outcome<Self> {
        let Value::Object(mut holding) = item else { return fail("an item is an object") };
        let Some(course) = holding.remove("course") else { return fail("an item has a course") };
        Ok(Self { holding, course: CachedJson::new(&course)?, plain: to_raw_value(&course)? })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::ZlibDecoder;
    use serde_json::json;

    use super::*;

    #[test]
    fn every_way_makes_the_same_page() {
        let page = json!({"count": 2, "results": [
            {"id": 1, "course": {"id": 7, "name": "数学"}},
            {"id": 2, "course": {"id": 8, "name": "英語"}},
        ]});
        let made = Page::from_value(page.clone()).expect("it is a page");
        let packed = [made.assemble(), made.compress(Compression::fast())];
        let unpacked = packed.map(|packed| {
            let mut plain = Vec::new();
            ZlibDecoder::new(&*packed.expect("it is made")).read_to_end(&mut plain).expect("it is zlib");
            plain
        });
        for plain in unpacked.into_iter().chain(made.write()) {
            assert_eq!(serde_json::from_slice::<Value>(&plain).expect("it is JSON"), page);
        }
    }
}
