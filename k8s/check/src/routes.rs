//! Checks of ingress: gateway, routes, and their policies.

use serde_json::Value;

use super::lifecycle::fewest;
use super::secrets::Secrets;
use super::set::{Findings, Rule, Set, find, list, name, text};

/// The backends by path. The site gets what the edge does not.
const WAYS: [(&str, &str); 2] = [("/api", "edge"), ("/", "site")];

/// Checks the gateway and the routes of the set.
pub(super) fn check(set: &Set, secrets: &Secrets, findings: &mut Findings) {
    for gateway in set.objects_of_kind("Gateway") {
        for listener in list(&gateway["spec"]["listeners"]) {
            for reference in list(&listener["tls"]["certificateRefs"]) {
                secrets.check(set, gateway, &reference["name"], None, findings);
            }
            if listener["protocol"] == "HTTPS" && list(&listener["tls"]["certificateRefs"]).next().is_none() {
                find(
                    findings,
                    Rule::Route,
                    gateway,
                    format!("listener {} has no certificate", listener["name"]),
                );
            }
        }
        for (path, service) in WAYS {
            if !leads(set, path, service) {
                find(findings, Rule::Route, gateway, format!("no rule routes {path} to {service}"));
            }
        }
        rules(set, findings);
        connections(set, gateway, findings);
        check_access_log(set, gateway, findings);
        certificates(set, gateway, findings);
        let encrypts = list(&gateway["spec"]["listeners"]).any(|listener| listener["protocol"] == "HTTPS");
        if set.is_production() && !encrypts {
            find(findings, Rule::Route, gateway, "speaks no HTTPS");
        }
        for rule in serving(set).filter(|_| encrypts) {
            let promises = list(&rule["filters"])
                .flat_map(|filter| list(&filter["responseHeaderModifier"]["set"]))
                .any(|header| header["name"] == "Strict-Transport-Security");
            if !promises {
                find(findings, Rule::Route, gateway, format!("has no HSTS header for {}", rule["matches"]));
            }
        }
    }
    for route in set.objects_of_kind("HTTPRoute") {
        check_parent(set, route, findings);
        for backend in list(&route["spec"]["rules"]).flat_map(|rule| list(&rule["backendRefs"])) {
            let service = set.get("Service", text(&backend["name"]));
            if !service.is_some_and(|service| {
                list(&service["spec"]["ports"]).any(|port| port["port"] == backend["port"])
            }) {
                let why = format!(
                    "routes to {} port {}, which is no port of a Service",
                    backend["name"], backend["port"]
                );
                find(findings, Rule::Route, route, why);
            }
        }
    }
    for policy in
        set.objects.iter().filter(|object| text(&object["apiVersion"]).starts_with("gateway.envoyproxy.io/"))
    {
        let spec = &policy["spec"];
        for target in list(&spec["targetRefs"]).chain(spec.get("targetRef")) {
            let section = &target["sectionName"];
            let is_there = set.get(text(&target["kind"]), text(&target["name"])).is_some_and(|about| {
                section.is_null() || list(&about["spec"]["rules"]).any(|rule| rule["name"] == *section)
            });
            if !is_there {
                find(
                    findings,
                    Rule::Route,
                    policy,
                    format!("targets {} {} {section}, which does not exist", target["kind"], target["name"]),
                );
            }
        }
    }
}

/// The gateway limits its connections, and one replica of it cannot use up all connections of the servers behind it.
fn connections(set: &Set, gateway: &Value, findings: &mut Findings) {
    let mut limits = set
        .objects_of_kind("ClientTrafficPolicy")
        .filter_map(|policy| policy["spec"]["connection"]["connectionLimit"]["value"].as_u64());
    let Some(limit) = limits.next().filter(|limit| *limit > 0) else {
        return find(findings, Rule::Route, gateway, "has no connection limit");
    };
    for (_, service) in WAYS {
        let Some(workload) = set.workloads().find(|workload| workload.name() == service) else { continue };
        let most = kit::serve::CONNECTIONS as u64 * fewest(set, workload);
        if limit > most {
            let why = format!("accepts {limit} connections a replica, but all of {service} accept {most}");
            find(findings, Rule::Route, gateway, why);
        }
    }
}

/// The rules that lead to a Service.
fn serving(set: &Set) -> impl Iterator<Item = &Value> {
    let rules = set.objects_of_kind("HTTPRoute").flat_map(|route| list(&route["spec"]["rules"]));
    rules.filter(|rule| list(&rule["backendRefs"]).next().is_some())
}

/// The policies of a route's rule. Only the most specific one applies: that of the rule, else that of the route.
fn policies<'a>(set: &'a Set, route: &Value, rule: &Value) -> Vec<&'a Value> {
    let about = |section: &Value| -> Vec<&'a Value> {
        set.objects_of_kind("BackendTrafficPolicy")
            .filter(|policy| {
                list(&policy["spec"]["targetRefs"]).any(|target| {
                    target["kind"] == "HTTPRoute"
                        && target["name"] == name(route)
                        && target["sectionName"] == *section
                })
            })
            .collect()
    };
    let own = if rule["name"].is_null() { Vec::new() } else { about(&rule["name"]) };
    if own.is_empty() { about(&Value::Null) } else { own }
}

/// Each rule that leads to a Service has a time limit, retries only safe requests, and replaces the gateway's own 503,
/// because 503 means maintenance.
fn rules(set: &Set, findings: &mut Findings) {
    for route in set.objects_of_kind("HTTPRoute") {
        for rule in list(&route["spec"]["rules"]).filter(|rule| list(&rule["backendRefs"]).next().is_some()) {
            let policies = policies(set, route, rule);
            let mut wrong =
                |why: &str| find(findings, Rule::Route, route, format!("{}: {why}", rule["matches"]));
            if text(&rule["timeouts"]["request"]).is_empty() {
                wrong("has no time limit");
            }
            if !policies.iter().any(|policy| turns_unavailable(policy)) {
                wrong("lets the gateway answer 503, which means maintenance");
            }
            if !policies.iter().any(|policy| sends_again(policy, &UNSENT)) {
                wrong("does not retry requests that were not sent");
            }
            let changes_nothing = list(&rule["backendRefs"]).all(|backend| backend["name"] == "site")
                || list(&rule["matches"]).all(|one| one["method"] == "GET");
            if !changes_nothing && policies.iter().any(|policy| may_send_twice(policy)) {
                wrong("retries requests that may have been executed");
            }
            if changes_nothing && !policies.iter().any(|policy| sends_again(policy, &["reset"])) {
                wrong("does not retry reads when a process dies");
            }
        }
    }
}

/// Conditions under which the gateway certainly did not send a request. The last one is part of `reset`.
const UNSENT: [&str; 3] = ["connect-failure", "refused-stream", "reset-before-request"];

fn turns_unavailable(policy: &Value) -> bool {
    list(&policy["spec"]["responseOverride"]).any(|rule| {
        rule["source"] == "Local"
            && list(&rule["match"]["statusCodes"]).any(|code| code["value"] == 503)
            && rule["response"]["statusCode"].as_u64().is_some_and(|status| status != 503)
    })
}

fn sends_again(policy: &Value, when: &[&str]) -> bool {
    let retry = &policy["spec"]["retry"];
    let has = |trigger: &str| list(&retry["retryOn"]["triggers"]).any(|one| one == trigger);
    let is_on = retry["numRetries"].as_u64().is_some_and(|most| most > 0);
    is_on && when.iter().all(|trigger| has(trigger) || *trigger == "reset-before-request" && has("reset"))
}

/// Without triggers, Envoy Gateway uses its defaults, which include 503.
fn may_send_twice(policy: &Value) -> bool {
    let retry = &policy["spec"]["retry"];
    let mut triggers = list(&retry["retryOn"]["triggers"]).map(text).peekable();
    retry.is_object()
        && (triggers.peek().is_none()
            || triggers.any(|trigger| !UNSENT.contains(&trigger))
            || list(&retry["retryOn"]["httpStatusCodes"]).next().is_some())
}

/// URLs of media files and links in mails are secrets, so access logs must not contain them.
fn check_access_log(set: &Set, gateway: &Value, findings: &mut Findings) {
    let reference = &gateway["spec"]["infrastructure"]["parametersRef"];
    let log = set
        .get(text(&reference["kind"]), text(&reference["name"]))
        .map_or(&Value::Null, |proxy| &proxy["spec"]["telemetry"]["accessLog"]);
    let formats: Vec<_> =
        list(&log["settings"]).map(|setting| setting["format"].to_string().to_ascii_uppercase()).collect();
    let tells = |format: &String| {
        ["PATH", "QUERY", "REFERER", "AUTHORIZATION", "COOKIE"].iter().any(|secret| format.contains(secret))
    };
    // The default format contains the path.
    if log["disable"] != true && (formats.is_empty() || formats.iter().any(tells)) {
        find(findings, Rule::Route, gateway, "logs the paths of requests");
    }
}

/// The gateway's certificate covers the public host name.
fn certificates(set: &Set, gateway: &Value, findings: &mut Findings) {
    let origins =
        set.objects_of_kind("ConfigMap").filter_map(|config| config["data"]["EDGE_PUBLIC_ORIGIN"].as_str());
    for host in origins.filter_map(|origin| origin.strip_prefix("https://")) {
        let is_named = set
            .objects_of_kind("Certificate")
            .any(|certificate| list(&certificate["spec"]["dnsNames"]).any(|name| name == host));
        if !is_named {
            find(findings, Rule::Route, gateway, format!("has no certificate for the public host {host}"));
        }
    }
}

/// A route is attached to a listener of a gateway of the set.
fn check_parent(set: &Set, route: &Value, findings: &mut Findings) {
    let mut parents = list(&route["spec"]["parentRefs"]).peekable();
    if parents.peek().is_none() {
        find(findings, Rule::Route, route, "is attached to no gateway");
    }
    for parent in parents {
        let listener = &parent["sectionName"];
        let is_there = set.get("Gateway", text(&parent["name"])).is_some_and(|gateway| {
            listener.is_null() || list(&gateway["spec"]["listeners"]).any(|one| one["name"] == *listener)
        });
        if !is_there {
            find(
                findings,
                Rule::Route,
                route,
                format!("is attached to {} {listener}, which does not exist", parent["name"]),
            );
        }
    }
}

/// Whether a rule routes the path prefix `path` to `service`.
fn leads(set: &Set, path: &str, service: &str) -> bool {
    set.objects_of_kind("HTTPRoute").flat_map(|route| list(&route["spec"]["rules"])).any(|rule| {
        list(&rule["matches"]).any(|one| {
            one["path"]["type"] == "PathPrefix" && one["path"]["value"] == path && one["method"].is_null()
        }) && list(&rule["backendRefs"]).any(|backend| backend["name"] == service)
    })
}
