//! Span names: the route template, never the request path.

use std::fmt;
use std::sync::{Arc, Mutex};

use crate::build::{Build, get};
use tracing::field::{Field, Visit};
use tracing::span;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt as _};

/// Records the name of every span.
#[derive(Clone, Default)]
struct Names(Arc<Mutex<Vec<String>>>);

impl<S: tracing::Subscriber> Layer<S> for Names {
    fn on_new_span(&self, attributes: &span::Attributes<'_>, _: &span::Id, _: Context<'_, S>) {
        attributes.record(&mut self.clone());
    }
}

impl Visit for Names {
    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}

    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "otel.name" {
            self.0.lock().unwrap().push(value.to_owned());
        }
    }
}

#[tokio::test]
async fn a_span_is_named_by_the_route() {
    let names = Names::default();
    // The server runs on the thread of the test.
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(names.clone()));
    let site = Build::new().serve().await;
    for (path, name) in [
        ("/", "GET /"),
        ("/course", "GET /course"),
        ("/course/101", "GET /course/{id}"),
        ("/course/999", "GET /course/{id}"),
        ("/course/101/_payload.json", "GET /course/{id}/_payload.json"),
        ("/_payload.json", "GET /_payload.json"),
        ("/mypage/learnning/7?token=secret", "GET /mypage/learnning/{id}"),
        ("/assets/index-Ab12.js", "GET /assets/{*path}"),
        ("/assets/gone-Zz99.js", "GET /assets/{*path}"),
        ("/favicon.svg", "GET /favicon.svg"),
        ("/secret", "GET (unmatched)"),
        ("/course/", "GET (unmatched)"),
    ] {
        get(site.address, path).await;
        let seen = std::mem::take(&mut *names.0.lock().unwrap());
        assert_eq!(seen, [name], "{path}");
    }
}
