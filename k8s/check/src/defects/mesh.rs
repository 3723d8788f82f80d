//! Defects of the mesh.

use super::{Defect, Edit, Rule, cut, put, without};
use Rule::{Mesh, Policy, Schema};

pub(super) const DEFECTS: &[Defect] = &[
    cut(
        "a pod outside the mesh",
        Mesh,
        "Deployment/auth",
        "spec template metadata annotations linkerd.io/inject",
    ),
    put(
        "a port open by default",
        Mesh,
        "Deployment/lms",
        "spec template metadata annotations config.linkerd.io/default-inbound-policy",
        r#""all-unauthenticated""#,
    ),
    put(
        "PostgreSQL traffic through the proxy",
        Mesh,
        "Deployment/desk",
        "spec template metadata annotations config.linkerd.io/skip-outbound-ports",
        r#""443,465,587,6443""#,
    ),
    cut(
        "a pod that the injector skips",
        Mesh,
        "Deployment/site",
        "spec template spec containers 0 volumeMounts",
    ),
    without("a port without a Server", Mesh, "Server/commerce-grpc"),
    Defect {
        name: "a port with two Servers",
        rule: Mesh,
        object: "Server/auth-grpc",
        edit: Edit::Copy("auth-grpc-too"),
    },
    put("a Server of an unknown port", Mesh, "Server/edge-http", "spec port", r#""https""#),
    put(
        "a Server open to everyone",
        Mesh,
        "Server/desk-grpc",
        "spec accessPolicy",
        r#""all-unauthenticated""#,
    ),
    cut("metrics that Prometheus cannot read", Mesh, "Server/metrics", "spec accessPolicy"),
    put(
        "a caller that the diagram does not show",
        Mesh,
        "MeshTLSAuthentication/edge",
        "spec identityRefs +",
        r#"{"kind": "ServiceAccount", "name": "site"}"#,
    ),
    cut(
        "a caller that is denied",
        Mesh,
        "MeshTLSAuthentication/auth-commerce-and-edge",
        "spec identityRefs name=auth",
    ),
    put(
        "calls from every identity",
        Mesh,
        "AuthorizationPolicy/auth-calls",
        "spec requiredAuthenticationRefs 0",
        r#"{"group": "policy.linkerd.io", "kind": "NetworkAuthentication", "name": "anybody"}"#,
    ),
    put(
        "a probe route that matches every call",
        Mesh,
        "GRPCRoute/lms-health",
        "spec rules 0",
        r#"{"matches": [{"method": {"service": "lms.v1.LearnerService"}}]}"#,
    ),
    put(
        "a policy of an unknown Server",
        Mesh,
        "AuthorizationPolicy/site-http",
        "spec targetRef name",
        r#""site""#,
    ),
    without("an authentication lost", Mesh, "MeshTLSAuthentication/gateway"),
    cut(
        "a gateway outside the mesh",
        Mesh,
        "EnvoyProxy/konomana",
        "spec provider kubernetes envoyDeployment pod annotations",
    ),
    without("proxies that cannot connect", Mesh, "NetworkPolicy/mesh-called-by-auth-commerce-and-edge"),
    put(
        "a proxy with too much egress",
        Policy,
        "NetworkPolicy/mesh-auth",
        "spec egress 0 to 0 podSelector matchExpressions 0 values +",
        r#""maintenance""#,
    ),
    put("an unknown protocol", Schema, "Server/auth-grpc", "spec proxyProtocol", r#""h2c""#),
    put("an unknown field of a mesh policy", Schema, "AuthorizationPolicy/auth-calls", "spec target", "{}"),
];
