//! Defects of pods: what they ask for, how they begin and end, what they may do.

use super::super::set::Rule::{
    Budget, Digest, Grace, Port, Privilege, Probe, Quantity, Scaling, Spread, Token,
};
use super::{Defect, Edit, cut, put, without};

const EDGE: &str = "Deployment/edge";
const AUTH: &str = "Deployment/auth";
const LMS: &str = "Deployment/lms";
const SITE: &str = "Deployment/site";

pub(super) const DEFECTS: &[Defect] = &[
    // What they ask for.
    put(
        "a request above its limit",
        Quantity,
        EDGE,
        "spec template spec containers 0 resources requests memory",
        r#""2Gi""#,
    ),
    put(
        "a quantity that is none",
        Quantity,
        LMS,
        "spec template spec containers 0 resources limits memory",
        r#""12Mx""#,
    ),
    cut("no limit of memory", Quantity, SITE, "spec template spec containers 0 resources limits memory"),
    cut("no request of CPU", Quantity, AUTH, "spec template spec containers 0 resources requests cpu"),
    put(
        "a limit of something else",
        Quantity,
        AUTH,
        "spec template spec containers 0 resources limits memmory",
        r#""1Gi""#,
    ),
    cut(
        "a migration without bounds",
        Quantity,
        "Job/migrate-lms",
        "spec template spec containers 0 resources limits",
    ),
    put(
        "a database above its limit",
        Quantity,
        "Cluster/postgres",
        "spec resources requests memory",
        r#""64Gi""#,
    ),
    put("a volume of no size", Quantity, "Cluster/postgres", "spec storage size", r#""200GB""#),
    // How they begin and end.
    put(
        "a grace shorter than the drain",
        Grace,
        EDGE,
        "spec template spec terminationGracePeriodSeconds",
        "20",
    ),
    cut("no preStop", Grace, LMS, "spec template spec containers 0 lifecycle"),
    put(
        "a drain longer than the grace",
        Grace,
        AUTH,
        "spec template spec containers 0 env +",
        r#"{"name": "DRAIN_LIMIT_MS", "value": "40000"}"#,
    ),
    put(
        "liveness that is readiness",
        Probe,
        EDGE,
        "spec template spec containers 0 livenessProbe httpGet path",
        r#""/readyz""#,
    ),
    cut(
        "gRPC liveness that is readiness",
        Probe,
        AUTH,
        "spec template spec containers 0 livenessProbe grpc service",
    ),
    cut("no startup probe", Probe, SITE, "spec template spec containers 0 startupProbe"),
    cut("no readiness probe", Probe, LMS, "spec template spec containers 0 readinessProbe"),
    put(
        "a probe of a closed port",
        Port,
        LMS,
        "spec template spec containers 0 readinessProbe grpc port",
        "7001",
    ),
    put(
        "a probe of an unknown port",
        Port,
        SITE,
        "spec template spec containers 0 startupProbe httpGet port",
        r#""htpp""#,
    ),
    // How many there are, and where.
    put(
        "a budget of all replicas",
        Budget,
        "PodDisruptionBudget/auth",
        "spec",
        r#"{"minAvailable": 3,
        "selector": {"matchLabels": {"app.kubernetes.io/name": "auth"}}}"#,
    ),
    put("a budget of none", Budget, "PodDisruptionBudget/edge", "spec maxUnavailable", r#""0%""#),
    without("no budget", Budget, "PodDisruptionBudget/lms"),
    Defect {
        name: "two budgets",
        rule: Budget,
        object: "PodDisruptionBudget/site",
        edit: Edit::Copy("site-too"),
    },
    cut("no spread", Spread, EDGE, "spec template spec topologySpreadConstraints"),
    put(
        "a spread over somebody else's pods",
        Spread,
        AUTH,
        "spec template spec topologySpreadConstraints",
        r#"[{"topologyKey": "kubernetes.io/hostname", "maxSkew": 1, "whenUnsatisfiable": "ScheduleAnyway",
            "labelSelector": {"matchLabels": {"app.kubernetes.io/name": "lms"}}}]"#,
    ),
    put(
        "an autoscaler of nobody",
        Scaling,
        "HorizontalPodAutoscaler/edge",
        "spec scaleTargetRef name",
        r#""egde""#,
    ),
    put(
        "an autoscaler of no kind",
        Scaling,
        "HorizontalPodAutoscaler/lms",
        "spec scaleTargetRef apiVersion",
        r#""v1""#,
    ),
    put("an autoscaler upside down", Scaling, "HorizontalPodAutoscaler/auth", "spec minReplicas", "50"),
    put("a single pod for people", Scaling, "HorizontalPodAutoscaler/site", "spec minReplicas", "1"),
    put(
        "an autoscaler that flaps",
        Scaling,
        "HorizontalPodAutoscaler/lms",
        "spec behavior scaleDown stabilizationWindowSeconds",
        "0",
    ),
    put("replicas beside an autoscaler", Scaling, EDGE, "spec replicas", "3"),
    without("no autoscaler", Scaling, "HorizontalPodAutoscaler/site"),
    // What they may do.
    put("root allowed", Privilege, EDGE, "spec template spec securityContext runAsNonRoot", "false"),
    put("user 0", Privilege, AUTH, "spec template spec containers 0 securityContext runAsUser", "0"),
    cut("no user", Privilege, LMS, "spec template spec securityContext runAsUser"),
    cut("no seccomp", Privilege, SITE, "spec template spec securityContext seccompProfile"),
    put("privileged", Privilege, LMS, "spec template spec containers 0 securityContext privileged", "true"),
    cut(
        "privilege escalation",
        Privilege,
        EDGE,
        "spec template spec containers 0 securityContext allowPrivilegeEscalation",
    ),
    put(
        "a writable root",
        Privilege,
        SITE,
        "spec template spec containers 0 securityContext readOnlyRootFilesystem",
        "false",
    ),
    put(
        "a capability",
        Privilege,
        AUTH,
        "spec template spec containers 0 securityContext capabilities add +",
        r#""SYS_ADMIN""#,
    ),
    put(
        "capabilities kept",
        Privilege,
        AUTH,
        "spec template spec containers 0 securityContext capabilities drop",
        "[]",
    ),
    cut(
        "an open init container",
        Privilege,
        "Job/migrate-auth",
        "spec template spec initContainers 0 securityContext",
    ),
    put(
        "a folder of the node",
        Privilege,
        LMS,
        "spec template spec volumes +",
        r#"{"name": "x", "hostPath": {"path": "/"}}"#,
    ),
    put("the node's network", Privilege, EDGE, "spec template spec hostNetwork", "true"),
    put("the node's processes", Privilege, EDGE, "spec template spec hostPID", "true"),
    put("a port of the node", Privilege, EDGE, "spec template spec containers 0 ports 0 hostPort", "8080"),
    put(
        "a namespace without a standard",
        Privilege,
        "Namespace/konomana",
        "metadata labels pod-security.kubernetes.io/enforce",
        r#""baseline""#,
    ),
    put("a token", Token, EDGE, "spec template spec automountServiceAccountToken", "true"),
    put(
        "a token by another way",
        Token,
        SITE,
        "spec template spec volumes +",
        r#"{"name": "x", "projected": {"sources": [{"serviceAccountToken": {"path": "token"}}]}}"#,
    ),
    // What runs.
    put(
        "a tag in production",
        Digest,
        LMS,
        "spec template spec containers 0 image",
        r#""registry.konomana.jp/konomana/lms:1.2.3""#,
    ),
    put(
        "half a digest",
        Digest,
        EDGE,
        "spec template spec containers 0 image",
        r#""konomana/edge@sha256:abc""#,
    ),
    put(
        "a database by its tag",
        Digest,
        "Cluster/postgres",
        "spec imageName",
        r#""ghcr.io/cloudnative-pg/postgresql:18""#,
    ),
];
