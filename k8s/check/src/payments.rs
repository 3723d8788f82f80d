//! Payments go to the provider. Its stand-in, which accepts test cards, is allowed only in a developer's cluster.

use super::picture::{SANDBOX, WITH_SANDBOX};
use super::set::{Findings, Rule, Set, containers, find, text};
use super::settings::{environment, is_image_of};

/// The setting with the provider's address.
const PROVIDER_URL: &str = "COMMERCE_PROVIDER_URL";

/// Checks the set.
pub(super) fn check(set: &Set, findings: &mut Findings) {
    if !set.name.starts_with("overlays/") || set.name == WITH_SANDBOX {
        return;
    }
    for workload in set.workloads() {
        if containers(workload.pod).any(|container| is_image_of(SANDBOX, text(&container["image"]))) {
            let why = "is the stand-in for the payment provider: it sells courses for test cards";
            find(findings, Rule::Payment, workload.object, why);
        }
        for (name, value) in containers(workload.pod).flat_map(|container| environment(set, container)) {
            if name == PROVIDER_URL && value.is_none_or(|value| !value.starts_with("https://")) {
                find(findings, Rule::Payment, workload.object, format!("{name} is not a provider's address"));
            }
        }
    }
}
