//! Defects of selectors, ports and references between objects.

use super::super::set::Rule::{Account, Balance, Config, Exposure, Host, Port, Secret, Selector};
use super::{Defect, Edit, cut, put, without};

const DESK: &str = "Deployment/desk";
const EDGE: &str = "Deployment/edge";
const AUTH: &str = "Deployment/auth";
const LMS: &str = "Deployment/lms";

pub(super) const DEFECTS: &[Defect] = &[
    put(
        "a Service that selects no pod",
        Selector,
        "Service/edge",
        "spec selector app.kubernetes.io/name",
        r#""egde""#,
    ),
    put("a Service that selects every pod", Selector, "Service/site", "spec selector", "{}"),
    put(
        "a Deployment that loses its pods",
        Selector,
        LMS,
        "spec selector matchLabels app.kubernetes.io/name",
        r#""lsm""#,
    ),
    put(
        "a budget that selects no pod",
        Selector,
        "PodDisruptionBudget/auth",
        "spec selector matchLabels app.kubernetes.io/name",
        r#""x""#,
    ),
    put("a Service to an unknown port", Port, "Service/auth", "spec ports 0 targetPort", r#""grcp""#),
    put("a Service to a number", Port, "Service/lms", "spec ports 0 targetPort", "7000"),
    cut("gRPC behind one address", Balance, "Service/lms", "spec clusterIP"),
    put(
        "calls through one address",
        Balance,
        EDGE,
        "spec template spec containers 0 env name=EDGE_LMS_URL value",
        r#""http://lms-cluster-ip:7000""#,
    ),
    put(
        "calls without a fallback for stale DNS",
        Balance,
        EDGE,
        "spec template spec containers 0 env name=EDGE_LMS_URL value",
        r#""http://lms:7000""#,
    ),
    put(
        "a fallback to the headless Service",
        Balance,
        AUTH,
        "spec template spec containers 0 env name=AUTH_LMS_URL value",
        r#""http://lms:7000;http://lms:7000""#,
    ),
    put(
        "a fallback to another service",
        Balance,
        EDGE,
        "spec template spec containers 0 env name=EDGE_LMS_URL value",
        r#""http://lms:7000;http://lms-cluster-ip:7000,http://auth-cluster-ip:7000""#,
    ),
    without("a fallback to an unknown Service", Host, "Service/lms-cluster-ip"),
    put("a load balancer beside the gateway", Exposure, "Service/site", "spec type", r#""LoadBalancer""#),
    put("a port on every node", Exposure, "Service/edge", "spec type", r#""NodePort""#),
    put(
        "a monitor that selects no pod",
        Selector,
        "PodMonitor/konomana",
        "spec selector matchLabels app.kubernetes.io/part-of",
        r#""podinfo""#,
    ),
    put(
        "a monitor of an unknown port",
        Port,
        "PodMonitor/konomana",
        "spec podMetricsEndpoints 0 port",
        r#""metricz""#,
    ),
    put("a collector at an unknown port", Port, "Service/collector", "spec ports 0 targetPort", r#""otpl""#),
    put(
        "an unknown ConfigMap",
        Config,
        EDGE,
        "spec template spec containers 0 envFrom 0 configMapRef name",
        r#""edge""#,
    ),
    without("a ConfigMap lost", Config, "ConfigMap/site-*"),
    put(
        "an unknown key of a ConfigMap",
        Config,
        LMS,
        "spec template spec containers 0 env +",
        r#"{"name": "LOG", "valueFrom": {"configMapKeyRef": {"name": "lms", "key": "LOGG"}}}"#,
    ),
    put(
        "a mount of an unknown volume",
        Config,
        AUTH,
        "spec template spec containers 0 volumeMounts +",
        r#"{"name": "x", "mountPath": "/x"}"#,
    ),
    put(
        "a wrong key of a Secret",
        Secret,
        AUTH,
        "spec template spec containers 0 env name=AUTH_SECRET valueFrom secretKeyRef key",
        r#""SECRET""#,
    ),
    put(
        "an undocumented Secret",
        Secret,
        LMS,
        "spec template spec containers 0 env name=LMS_DATABASE_URL valueFrom secretKeyRef name",
        r#""database""#,
    ),
    put(
        "a password in plain text",
        Secret,
        EDGE,
        "spec template spec containers 0 env name=EDGE_CSRF_SECRET",
        r#"{"name": "EDGE_CSRF_SECRET", "value": "correct horse battery staple"}"#,
    ),
    put(
        "a mail server's password in plain text",
        Secret,
        DESK,
        "spec template spec containers 0 env name=DESK_SMTP_URL",
        r#"{"name": "DESK_SMTP_URL", "value": "smtps://konomana:horse@mail.example"}"#,
    ),
    put(
        "a payment provider's key in plain text",
        Secret,
        "Deployment/commerce",
        "spec template spec containers 0 env name=COMMERCE_PROVIDER_KEY",
        r#"{"name": "COMMERCE_PROVIDER_KEY", "value": "rk_live_51Konomana"}"#,
    ),
    put(
        "a mail server in a ConfigMap",
        Secret,
        "ConfigMap/desk-*",
        "data DESK_SMTP_URL",
        r#""smtps://mail.example""#,
    ),
    put("a password in a ConfigMap", Secret, "ConfigMap/auth-*", "data AUTH_SECRET", r#""correct horse""#),
    put(
        "a password in a URL",
        Secret,
        "ConfigMap/lms-*",
        "data LOG",
        r#""postgres://lms:horse@postgres-rw/lms""#,
    ),
    Defect {
        name: "a Secret in the manifests",
        rule: Secret,
        object: EDGE,
        edit: Edit::Add(
            r#"{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "edge"}, "stringData": {"EDGE_CSRF_SECRET": "x"}}"#,
        ),
    },
    without("an account lost", Account, "ServiceAccount/auth"),
    put("the default account", Account, LMS, "spec template spec serviceAccountName", r#""default""#),
];
