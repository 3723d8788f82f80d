//! Defects of the keys that sign calls between services.

use super::super::set::Rule::{Secret, Setting};
use super::{Defect, cut, put};

pub(super) const DEFECTS: &[Defect] = &[
    cut(
        "a service without the keys of its callers",
        Setting,
        "Deployment/lms",
        "spec template spec containers 0 env name=CALLER_KEYS",
    ),
    cut(
        "calls without a signature",
        Setting,
        "Deployment/edge",
        "spec template spec containers 0 env name=EDGE_LMS_KEY",
    ),
    put(
        "caller keys of a service without callers",
        Setting,
        "Deployment/edge",
        "spec template spec containers 0 env +",
        r#"{"name": "CALLER_KEYS", "valueFrom": {"secretKeyRef": {"name": "lms-caller-keys", "key": "CALLER_KEYS"}}}"#,
    ),
    put(
        "a caller's key in plain text",
        Secret,
        "Deployment/auth",
        "spec template spec containers 0 env name=AUTH_DESK_KEY",
        r#"{"name": "AUTH_DESK_KEY", "value": "correct horse battery staple"}"#,
    ),
    put(
        "a key of an undocumented Secret",
        Secret,
        "Deployment/desk",
        "spec template spec containers 0 env name=CALLER_KEYS",
        r#"{"name": "CALLER_KEYS", "valueFrom": {"secretKeyRef": {"name": "desk", "key": "CALLER_KEYS"}}}"#,
    ),
];
