//! The architecture diagram as data: allowed connections, systems outside of the set, labels of every object.
//!
//! README.md and k8s/README.md draw it. The checks compare the manifests with this file.

use std::net::Ipv4Addr;

/// The workloads of the product: processes that use kit.
pub(super) const SERVICES: [&str; 8] =
    ["auth", "commerce", "desk", "edge", "exam", "lms", "maintenance", "site"];

/// The stand-in for the payment provider. It uses kit too, but is only for dev (`payments`).
pub(super) const SANDBOX: &str = "sandbox";
/// The only overlay that may contain it.
pub(super) const WITH_SANDBOX: &str = "overlays/dev";

/// Labels required on every object.
pub(super) const LABELS: [&str; 3] =
    ["app.kubernetes.io/name", "app.kubernetes.io/part-of", "app.kubernetes.io/component"];

/// The value of `app.kubernetes.io/part-of`.
pub(super) const PART_OF: &str = "konomana";

/// The only workload that calls the API server and has a token for it.
pub(super) const WITH_TOKEN: &str = "maintenance";

/// The exact rights of each role: role, API group, resource, verbs. The service follows windows and writes their
/// status; operators open and close windows.
pub(super) const RIGHTS: [(&str, &str, &str, &[&str]); 7] = [
    ("maintenance", "ops.konomana.jp", "maintenancewindows", &["get", "list", "watch"]),
    ("maintenance", "ops.konomana.jp", "maintenancewindows/status", &["patch"]),
    ("maintenance", "events.k8s.io", "events", &["create"]),
    (
        "maintenance-operator",
        "ops.konomana.jp",
        "maintenancewindows",
        &["get", "list", "watch", "create", "update", "patch", "delete"],
    ),
    ("maintenance-operator", "ops.konomana.jp", "maintenancewindows/status", &["get"]),
    ("maintenance-operator", "events.k8s.io", "events", &["get", "list", "watch"]),
    ("maintenance-operator", "", "events", &["get", "list", "watch"]),
];

/// kit's defaults of `DRAIN_DELAY_MS` and `DRAIN_LIMIT_MS`, in seconds.
pub(super) const DRAIN_DELAY: f64 = 5.0;
pub(super) const DRAIN_LIMIT: f64 = 12.0;
/// Time to send the last spans and to close connections, in seconds.
pub(super) const AFTER_DRAIN: f64 = 5.0;

/// Settings with an address of the product to which no pod connects.
pub(super) const NOT_DIALLED: [&str; 6] = [
    "AUTH_PUBLIC_ORIGIN",
    "COMMERCE_SITE_URL",
    "DESK_PUBLIC_ORIGIN",
    "EDGE_FURTHER_ORIGINS",
    "EDGE_PUBLIC_ORIGIN",
    "SANDBOX_URL",
];

/// External hosts and ports that may be called.
pub(super) const OUTSIDE_HOSTS: [(&str, u64); 2] = [("api.stripe.com", 443), ("tempo.monitoring", 4317)];

/// An end of a connection outside the set.
pub(super) struct Outside {
    pub(super) name: &'static str,
    /// `kubernetes.io/metadata.name` of its namespace; `None` if it is no pod.
    pub(super) namespace: Option<&'static str>,
    /// Labels of its pods.
    pub(super) labels: &'static [(&'static str, &'static str)],
    /// Its address, for IP blocks.
    pub(super) address: Ipv4Addr,
    /// Its ports.
    pub(super) ports: &'static [u64],
}

/// Systems outside the set that policies may allow, and others that no policy may allow.
pub(super) const OUTSIDE: &[Outside] = &[
    Outside {
        name: "dns",
        namespace: Some("kube-system"),
        labels: &[("k8s-app", "kube-dns")],
        address: Ipv4Addr::new(10, 244, 0, 10),
        ports: &[53],
    },
    Outside {
        name: "gateway",
        namespace: Some("envoy-gateway-system"),
        labels: &[
            ("app.kubernetes.io/name", "envoy"),
            ("app.kubernetes.io/component", "proxy"),
            ("app.kubernetes.io/managed-by", "envoy-gateway"),
            ("gateway.envoyproxy.io/owning-gateway-name", "konomana"),
        ],
        address: Ipv4Addr::new(10, 244, 1, 10),
        ports: &[8080],
    },
    Outside {
        name: "prometheus",
        namespace: Some("monitoring"),
        labels: &[("app.kubernetes.io/name", "prometheus")],
        address: Ipv4Addr::new(10, 244, 1, 11),
        ports: &[9090],
    },
    Outside {
        name: "tempo",
        namespace: Some("monitoring"),
        labels: &[("app.kubernetes.io/name", "tempo")],
        address: Ipv4Addr::new(10, 244, 1, 12),
        ports: &[4317, 3200],
    },
    Outside {
        name: "cnpg-operator",
        namespace: Some("cnpg-system"),
        labels: &[("app.kubernetes.io/name", "cloudnative-pg")],
        address: Ipv4Addr::new(10, 244, 1, 13),
        ports: &[9443],
    },
    // Linkerd's control plane: proxies request certificates, endpoints and policies from it.
    Outside {
        name: "linkerd",
        namespace: Some("linkerd"),
        labels: &[("linkerd.io/control-plane-component", "destination")],
        address: Ipv4Addr::new(10, 244, 1, 14),
        ports: &[8080, 8086, 8090],
    },
    Outside {
        name: "api-server",
        namespace: None,
        labels: &[],
        address: Ipv4Addr::new(10, 96, 0, 1),
        ports: &[443, 6443],
    },
    Outside {
        name: "postgres",
        namespace: None,
        labels: &[],
        address: Ipv4Addr::new(198, 51, 100, 5),
        ports: &[5432],
    },
    // Backup storage and everything else on the Internet.
    Outside {
        name: "internet",
        namespace: None,
        labels: &[],
        address: Ipv4Addr::new(203, 0, 113, 7),
        ports: &[80, 443],
    },
    // The mail relay.
    Outside {
        name: "mail-relay",
        namespace: None,
        labels: &[],
        address: Ipv4Addr::new(203, 0, 113, 25),
        ports: &[25, 465, 587],
    },
    Outside {
        name: "payment-provider",
        namespace: None,
        labels: &[],
        address: Ipv4Addr::new(203, 0, 113, 44),
        ports: &[443],
    },
    Outside {
        name: "push-service",
        namespace: None,
        labels: &[],
        address: Ipv4Addr::new(203, 0, 113, 80),
        ports: &[443],
    },
    // The network and the machines of the cluster: no policy may allow them.
    Outside {
        name: "a machine inside",
        namespace: None,
        labels: &[],
        address: Ipv4Addr::new(192, 168, 7, 25),
        ports: &[25, 80, 443, 465, 587],
    },
    Outside {
        name: "the machines' own addresses",
        namespace: None,
        labels: &[],
        address: Ipv4Addr::new(169, 254, 169, 254),
        ports: &[80],
    },
    Outside {
        name: "a pod of another namespace",
        namespace: Some("elsewhere"),
        labels: &[("app.kubernetes.io/name", "edge")],
        address: Ipv4Addr::new(10, 244, 2, 10),
        ports: &[443, 5432, 7000, 8080],
    },
    Outside {
        name: "another pod of kube-system",
        namespace: Some("kube-system"),
        labels: &[("k8s-app", "other")],
        address: Ipv4Addr::new(10, 244, 2, 11),
        ports: &[53, 443],
    },
];

/// A connection of the diagram, which the policies must allow on both sides.
pub(super) struct Edge {
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    pub(super) port: u64,
    /// Whether the policies must allow it. Optional connections exist where no selector can describe the peer
    /// precisely.
    pub(super) needed: bool,
}

const fn required(from: &'static str, to: &'static str, port: u64) -> Edge {
    Edge { from, to, port, needed: true }
}

const fn may(from: &'static str, to: &'static str, port: u64) -> Edge {
    Edge { from, to, port, needed: false }
}

/// All connections. A connection counts if both ends exist. `*` is every workload of the product; `a cluster's` is
/// every pod that `CloudNativePG` creates; `any mail relay` is every public address, unless the set catches mails; `any
/// payment provider` is the same, unless the set has the stand-in; `any push service` is every public address.
/// `anybody` is used where no selector can name the peer, i.e. the API server and the backup storage; `anybody's database`
/// is the same for a PostgreSQL outside the set.
pub(super) const EDGES: &[Edge] = &[
    required("gateway", "edge", 8080),
    required("gateway", "site", 8080),
    required("edge", "auth", 7000),
    required("edge", "commerce", 7000),
    required("edge", "desk", 7000),
    required("edge", "exam", 7000),
    required("edge", "lms", 7000),
    required("edge", "maintenance", 7000),
    // Events about accounts.
    required("auth", "commerce", 7000),
    required("auth", "desk", 7000),
    required("auth", "exam", 7000),
    required("auth", "lms", 7000),
    // Prices of courses, and entitlements to them.
    required("commerce", "lms", 7000),
    // Seats in exams.
    required("commerce", "exam", 7000),
    // Final results of exams, and what learners missed in them.
    required("exam", "auth", 7000),
    required("exam", "lms", 7000),
    // Events about orders.
    required("commerce", "desk", 7000),
    required("auth", "postgres", 5432),
    required("commerce", "postgres", 5432),
    required("desk", "postgres", 5432),
    required("exam", "postgres", 5432),
    required("lms", "postgres", 5432),
    required("audit-commerce", "postgres", 5432),
    required("migrate-auth", "postgres", 5432),
    required("migrate-commerce", "postgres", 5432),
    required("migrate-desk", "postgres", 5432),
    required("migrate-exam", "postgres", 5432),
    required("migrate-lms", "postgres", 5432),
    // Every process sends its spans to the collector, which sends the kept ones on.
    required("*", "collector", 4317),
    may("migrate-auth", "collector", 4317),
    may("migrate-commerce", "collector", 4317),
    may("migrate-desk", "collector", 4317),
    may("migrate-exam", "collector", 4317),
    may("migrate-lms", "collector", 4317),
    required("collector", "tempo", 4317),
    required("prometheus", "*", 9090),
    required("prometheus", "collector", 8888),
    required("prometheus", "postgres", 9187),
    // Mail: to an encrypted relay outside, or to the mail catcher.
    required("desk", "mail-relay", 465),
    required("desk", "mail-relay", 587),
    may("desk", "any mail relay", 465),
    may("desk", "any mail relay", 587),
    required("desk", "mail", 1025),
    // Web Push: to the push services of browsers.
    required("desk", "push-service", 443),
    may("desk", "any push service", 443),
    // Payments: to the provider, or to its stand-in, which sends its events to the edge.
    required("commerce", "payment-provider", 443),
    may("commerce", "any payment provider", 443),
    required("commerce", SANDBOX, 7700),
    required("audit-commerce", "payment-provider", 443),
    may("audit-commerce", "any payment provider", 443),
    required("audit-commerce", SANDBOX, 7700),
    required(SANDBOX, "edge", 8080),
    // No selector matches the API server or the backup storage, so the policies restrict only ports.
    required("maintenance", "api-server", 443),
    required("maintenance", "api-server", 6443),
    may("maintenance", "anybody", 443),
    may("maintenance", "anybody", 6443),
    // CloudNativePG: the operator checks the status of each instance; instances replicate, archive, and watch their
    // Cluster. Instances, jobs and poolers share one label, which the policies select.
    required("cnpg-operator", "postgres", 8000),
    required("postgres", "postgres", 5432),
    required("pooler", "postgres", 5432),
    required("a cluster's", "api-server", 443),
    required("a cluster's", "api-server", 6443),
    may("cnpg-operator", "a cluster's", 5432),
    may("cnpg-operator", "a cluster's", 8000),
    may("a cluster's", "a cluster's", 5432),
    may("a cluster's", "a cluster's", 8000),
    may("a cluster's", "anybody", 443),
    may("a cluster's", "anybody", 6443),
    required("auth", "pooler", 5432),
    required("commerce", "pooler", 5432),
    required("desk", "pooler", 5432),
    required("exam", "pooler", 5432),
    required("lms", "pooler", 5432),
    may("migrate-auth", "pooler", 5432),
    may("migrate-commerce", "pooler", 5432),
    may("migrate-desk", "pooler", 5432),
    may("migrate-exam", "pooler", 5432),
    may("migrate-lms", "pooler", 5432),
    required("prometheus", "pooler", 9127),
    // cert-manager's answer to the ACME challenge.
    required("gateway", "acme-solver", 8089),
    // In a mesh, calls go from proxy to proxy at one port; `mesh.rs` checks the policies.
    may("gateway", "edge", 4143),
    may("gateway", "site", 4143),
    may("edge", "auth", 4143),
    may("edge", "commerce", 4143),
    may("edge", "desk", 4143),
    may("edge", "exam", 4143),
    may("edge", "lms", 4143),
    may("edge", "maintenance", 4143),
    may("auth", "commerce", 4143),
    may("auth", "desk", 4143),
    may("auth", "exam", 4143),
    may("auth", "lms", 4143),
    may("commerce", "desk", 4143),
    may("commerce", "exam", 4143),
    may("commerce", "lms", 4143),
    may("exam", "auth", 4143),
    may("exam", "lms", 4143),
    may("*", "collector", 4143),
    may("*", "linkerd", 8080),
    may("*", "linkerd", 8086),
    may("*", "linkerd", 8090),
    may("collector", "linkerd", 8080),
    may("collector", "linkerd", 8086),
    may("collector", "linkerd", 8090),
    // A PostgreSQL outside the set can have any address.
    may("auth", "anybody's database", 5432),
    may("commerce", "anybody's database", 5432),
    may("desk", "anybody's database", 5432),
    may("exam", "anybody's database", 5432),
    may("lms", "anybody's database", 5432),
    may("audit-commerce", "anybody's database", 5432),
    may("migrate-auth", "anybody's database", 5432),
    may("migrate-commerce", "anybody's database", 5432),
    may("migrate-desk", "anybody's database", 5432),
    may("migrate-exam", "anybody's database", 5432),
    may("migrate-lms", "anybody's database", 5432),
];

/// The severities of alerts: `page` wakes the person on call, the other waits for the morning.
pub(super) const SEVERITIES: [&str; 2] = ["page", "ticket"];

/// Metrics of other programs that rules and dashboards may name.
pub(super) const EXTERNAL_METRICS: [&str; 8] = [
    "certmanager_certificate_expiration_timestamp_seconds",
    "cnpg_pg_replication_lag",
    "cnpg_pg_stat_archiver_last_archived_time",
    "cnpg_pg_stat_archiver_last_failed_time",
    "kube_deployment_status_replicas_unavailable",
    "kube_pod_container_status_restarts_total",
    "otelcol_exporter_send_failed_spans_total",
    "up",
];

/// Labels that Prometheus adds to every metric.
pub(super) const SCRAPED_LABELS: [&str; 6] = ["container", "instance", "job", "le", "namespace", "pod"];

/// The headings of every runbook.
pub(super) const RUNBOOK: [&str; 4] =
    ["Symptom", "First three commands", "Likely causes", "How to roll back"];

/// The files that hadolint checks.
pub(super) const LINTED: [&str; 1] = ["services/Containerfile"];
