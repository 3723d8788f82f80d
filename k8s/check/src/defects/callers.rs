//! Defects of the keys that services sign their calls with.

use super::super::set::Rule::{Secret, Setting};
use super::{Defect, cut, put};

pub(super) const DEFECTS: &[Defect] = &[
    cut(
        "a service that knows no key of its callers",
        Setting,
        "Deployment/lms",
        "spec template spec containers 0 env name=CALLER_KEYS",
    ),
    cut(
        "calls that nobody signs",
        Setting,
        "Deployment/edge",
        "spec template spec containers 0 env name=EDGE_LMS_KEY",
    ),
    put(
        "keys of callers for one that nobody calls",
        Setting,
        "Deployment/edge",
        "spec template spec containers 0 env +",
        r#"{"name": "CALLER_KEYS", "valueFrom": {"secretKeyRef": {"name": "lms-caller-keys", "key": "CALLER_KEYS"}}}"#,
    ),
    put(
        "a caller's key in the open",
        Secret,
        "Deployment/auth",
        "spec template spec containers 0 env name=AUTH_DESK_KEY",
        r#"{"name": "AUTH_DESK_KEY", "value": "correct horse battery staple"}"#,
    ),
    put(
        "a key that no Secret of the README has",
        Secret,
        "Deployment/desk",
        "spec template spec containers 0 env name=CALLER_KEYS",
        r#"{"name": "CALLER_KEYS", "valueFrom": {"secretKeyRef": {"name": "desk", "key": "CALLER_KEYS"}}}"#,
    ),
];
