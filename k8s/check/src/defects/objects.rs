//! Defects of single objects: labels, fields and kinds.

use super::super::set::Rule::{Label, Namespace, Schema, UnknownKind};
use super::{Defect, Edit, cut, put};

const EDGE: &str = "Deployment/edge";
const LMS: &str = "Deployment/lms";

pub(super) const DEFECTS: &[Defect] = &[
    cut("no label", Label, "Service/auth", "metadata labels app.kubernetes.io/component"),
    cut("pods without a label", Label, EDGE, "spec template metadata labels app.kubernetes.io/part-of"),
    put(
        "a wrong part-of label",
        Label,
        "Service/site",
        "metadata labels app.kubernetes.io/part-of",
        r#""podinfo""#,
    ),
    put("another namespace", Namespace, "Service/lms", "metadata namespace", r#""default""#),
    put("an unknown field", Schema, EDGE, "spec replica", "2"),
    put("an unknown field of a container", Schema, LMS, "spec template spec containers 0 livenesProbe", "{}"),
    put(
        "text instead of a number",
        Schema,
        LMS,
        "spec template spec containers 0 ports 0 containerPort",
        r#""grpc""#,
    ),
    put(
        "an unknown field of a route",
        Schema,
        "HTTPRoute/edge",
        "spec rules 0 timeout",
        r#"{"request": "15s"}"#,
    ),
    put("an invalid duration", Schema, "HTTPRoute/edge", "spec rules 0 timeouts request", r#""15""#),
    put("an unknown field of a cluster", Schema, "Cluster/postgres", "spec instance", "3"),
    put("an unknown field of a policy", Schema, "BackendTrafficPolicy/site", "spec timeouts", "{}"),
    put("a schedule of five fields", Schema, "ScheduledBackup/postgres", "spec schedule", r#""10 19 * * *""#),
    put(
        "a removed API version",
        UnknownKind,
        "HorizontalPodAutoscaler/edge",
        "apiVersion",
        r#""autoscaling/v2beta2""#,
    ),
    Defect {
        name: "an unknown kind",
        rule: UnknownKind,
        object: EDGE,
        edit: Edit::Add(
            r#"{"apiVersion": "example.org/v1", "kind": "Gadget", "metadata": {"name": "edge"}}"#,
        ),
    },
];
