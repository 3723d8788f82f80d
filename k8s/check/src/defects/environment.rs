//! Defects of the containers' settings.

use super::super::set::Rule::{Host, Port, Setting, Telemetry};
use super::{Defect, cut, put, without};

const EDGE: &str = "Deployment/edge";
const AUTH: &str = "Deployment/auth";
const LMS: &str = "Deployment/lms";

pub(super) const DEFECTS: &[Defect] = &[
    put(
        "an address of nobody",
        Host,
        EDGE,
        "spec template spec containers 0 env name=EDGE_LMS_URL value",
        r#""http://llms:7000""#,
    ),
    put(
        "an address at a closed port",
        Host,
        EDGE,
        "spec template spec containers 0 env name=EDGE_AUTH_URL value",
        r#""http://auth:7001""#,
    ),
    put(
        "a second address of nobody",
        Host,
        EDGE,
        "spec template spec containers 0 env name=EDGE_AUTH_URL value",
        r#""http://auth:7000,http://auth.elsewhere:7000""#,
    ),
    put(
        "an address in a ConfigMap of nobody",
        Host,
        "ConfigMap/lms-*",
        "data OTEL_EXPORTER_OTLP_ENDPOINT",
        r#""http://colector:4317""#,
    ),
    put(
        "a call that the diagram does not show",
        Host,
        LMS,
        "spec template spec containers 0 env +",
        r#"{"name": "OTEL_EXPORTER_OTLP_ENDPOINT", "value": "http://auth:7000"}"#,
    ),
    put(
        "a collector that sends to nobody",
        Host,
        "ConfigMap/collector-*",
        "data collector.yaml",
        r#""exporters: {otlp: {endpoint: 'tempo.monitorng:4317'}}""#,
    ),
    put(
        "a collector that listens where nobody calls",
        Port,
        "ConfigMap/collector-*",
        "data collector.yaml",
        r#""receivers: {otlp: {protocols: {grpc: {endpoint: '0.0.0.0:4318'}}}}""#,
    ),
    put("a collector that keeps all", Telemetry, "ConfigMap/collector-*", "data collector.yaml", r#""{}""#),
    without("a collector without its file", Telemetry, "ConfigMap/collector-*"),
    put(
        "a misspelt setting",
        Setting,
        EDGE,
        "spec template spec containers 0 env +",
        r#"{"name": "EDGE_REQUSTS", "value": "512"}"#,
    ),
    put(
        "an event to a stranger",
        Host,
        AUTH,
        "spec template spec containers 0 env name=AUTH_DESK_URL value",
        r#""http://desk.mail:7000""#,
    ),
    put(
        "events for who takes none",
        Host,
        AUTH,
        "spec template spec containers 0 env name=AUTH_LMS_URL value",
        r#""http://maintenance:7000""#,
    ),
    cut(
        "a setting left out, without which nothing starts",
        Setting,
        AUTH,
        "spec template spec containers 0 env name=AUTH_DESK_URL",
    ),
    cut("mails from nobody", Setting, "ConfigMap/desk-*", "data DESK_MAIL_FROM"),
    cut("a thread for each processor of the node", Setting, "ConfigMap/lms-*", "data TOKIO_WORKER_THREADS"),
    put("no thread at all", Setting, "ConfigMap/lms-*", "data TOKIO_WORKER_THREADS", r#""0""#),
    cut("passkeys for a laptop", Setting, "ConfigMap/auth-*", "data AUTH_PUBLIC_ORIGIN"),
    put(
        "passkeys for another site",
        Setting,
        "ConfigMap/auth-*",
        "data AUTH_PUBLIC_ORIGIN",
        r#""https://konomana.jp""#,
    ),
    put(
        "links that lead elsewhere",
        Setting,
        "ConfigMap/desk-*",
        "data DESK_PUBLIC_ORIGIN",
        r#""https://staging.konomana.jp""#,
    ),
    put("a misspelt setting in a ConfigMap", Setting, "ConfigMap/site-*", "data SITE_HTTP", r#""true""#),
    put(
        "a setting said twice",
        Setting,
        AUTH,
        "spec template spec containers 0 env +",
        r#"{"name": "AUTH_LISTEN", "value": "0.0.0.0:7000"}"#,
    ),
    put(
        "an address that works after its stream's end is forgotten",
        Setting,
        EDGE,
        "spec template spec containers 0 env +",
        r#"{"name": "EDGE_MEDIA_LINK_TIME", "value": "14400"}"#,
    ),
    put(
        "a listener that nobody declares",
        Port,
        LMS,
        "spec template spec containers 0 env name=LMS_LISTEN value",
        r#""0.0.0.0:7700""#,
    ),
    put(
        "two listeners at one port",
        Port,
        EDGE,
        "spec template spec containers 0 env name=METRICS_LISTEN value",
        r#""0.0.0.0:8080""#,
    ),
];
