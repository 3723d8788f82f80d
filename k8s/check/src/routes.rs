//! The way in: gateway, routes, and the policies that hang on them.

use serde_json::Value;

use super::lifecycle::fewest;
use super::secrets::Secrets;
use super::set::{Findings, Rule, Set, find, list, name, text};

/// What the gateway does not send to the edge is the site's.
const WAYS: [(&str, &str); 2] = [("/api", "edge"), ("/", "site")];

/// All of it.
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
                find(findings, Rule::Route, gateway, format!("nothing leads {path} to {service}"));
            }
        }
        rules(set, findings);
        connections(set, gateway, findings);
        written_down(set, gateway, findings);
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
                find(
                    findings,
                    Rule::Route,
                    gateway,
                    format!("does not promise HTTPS (HSTS) for {}", rule["matches"]),
                );
            }
        }
    }
    for route in set.objects_of_kind("HTTPRoute") {
        hangs(set, route, findings);
        for backend in list(&route["spec"]["rules"]).flat_map(|rule| list(&rule["backendRefs"])) {
            let service = set.get("Service", text(&backend["name"]));
            if !service.is_some_and(|service| {
                list(&service["spec"]["ports"]).any(|port| port["port"] == backend["port"])
            }) {
                let why =
                    format!("leads to {} port {}, which is no Service's", backend["name"], backend["port"]);
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
                    format!("is about {} {} {section}, which is not there", target["kind"], target["name"]),
                );
            }
        }
    }
}

/// A gateway's connections have a limit, and one replica of it can't take all connections of the servers behind it.
fn connections(set: &Set, gateway: &Value, findings: &mut Findings) {
    let mut limits = set
        .objects_of_kind("ClientTrafficPolicy")
        .filter_map(|policy| policy["spec"]["connection"]["connectionLimit"]["value"].as_u64());
    let Some(limit) = limits.next().filter(|limit| *limit > 0) else {
        return find(findings, Rule::Route, gateway, "takes connections without a limit");
    };
    for (_, service) in WAYS {
        let Some(workload) = set.workloads().find(|workload| workload.name() == service) else { continue };
        let most = kit::serve::CONNECTIONS as u64 * fewest(set, workload);
        if limit > most {
            let why = format!("takes {limit} connections a replica, and all of {service} take {most}");
            find(findings, Rule::Route, gateway, why);
        }
    }
}

/// The rules that lead to a Service.
fn serving(set: &Set) -> impl Iterator<Item = &Value> {
    let rules = set.objects_of_kind("HTTPRoute").flat_map(|route| list(&route["spec"]["rules"]));
    rules.filter(|rule| list(&rule["backendRefs"]).next().is_some())
}

/// The policies that hold for a rule of a route. The most specific one holds alone: of the rule, then of the route.
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

/// What holds for each rule that leads to a Service: it has a time limit, the gateway's own 503 becomes something else, as
/// 503 means maintenance and nothing else, and the gateway sends again what it may.
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
                wrong("lets the gateway say 503, which means maintenance");
            }
            if !policies.iter().any(|policy| sends_again(policy, &UNSENT)) {
                wrong("fails when one process does, though it was sent nothing");
            }
            let changes_nothing = list(&rule["backendRefs"]).all(|backend| backend["name"] == "site")
                || list(&rule["matches"]).all(|one| one["method"] == "GET");
            if !changes_nothing && policies.iter().any(|policy| may_send_twice(policy)) {
                wrong("sends a request twice that may have been done");
            }
            if changes_nothing && !policies.iter().any(|policy| sends_again(policy, &["reset"])) {
                wrong("fails what may be read again when a process dies");
            }
        }
    }
}

/// When the gateway has certainly not sent a request. The last is part of `reset`.
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

/// Without triggers Envoy Gateway has its own, and 503 is one of them.
fn may_send_twice(policy: &Value) -> bool {
    let retry = &policy["spec"]["retry"];
    let mut triggers = list(&retry["retryOn"]["triggers"]).map(text).peekable();
    retry.is_object()
        && (triggers.peek().is_none()
            || triggers.any(|trigger| !UNSENT.contains(&trigger))
            || list(&retry["retryOn"]["httpStatusCodes"]).next().is_some())
}

/// An address may be all that it takes, as of a lesson's file or in a mail: the gateway writes none down.
fn written_down(set: &Set, gateway: &Value, findings: &mut Findings) {
    let reference = &gateway["spec"]["infrastructure"]["parametersRef"];
    let log = set
        .get(text(&reference["kind"]), text(&reference["name"]))
        .map_or(&Value::Null, |proxy| &proxy["spec"]["telemetry"]["accessLog"]);
    let formats: Vec<_> =
        list(&log["settings"]).map(|setting| setting["format"].to_string().to_ascii_uppercase()).collect();
    let tells = |format: &String| {
        ["PATH", "QUERY", "REFERER", "AUTHORIZATION", "COOKIE"].iter().any(|secret| format.contains(secret))
    };
    // Without a format there is one with the path.
    if log["disable"] != true && (formats.is_empty() || formats.iter().any(tells)) {
        find(findings, Rule::Route, gateway, "writes down what people's addresses hold");
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
            find(findings, Rule::Route, gateway, format!("has no certificate for {host}, where people come"));
        }
    }
}

/// A route hangs on a listener of a gateway of the set.
fn hangs(set: &Set, route: &Value, findings: &mut Findings) {
    let mut parents = list(&route["spec"]["parentRefs"]).peekable();
    if parents.peek().is_none() {
        find(findings, Rule::Route, route, "hangs on no gateway");
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
                format!("hangs on {} {listener}, which is not there", parent["name"]),
            );
        }
    }
}

/// Whether a rule leads all that begins with `path` to `service`.
fn leads(set: &Set, path: &str, service: &str) -> bool {
    set.objects_of_kind("HTTPRoute").flat_map(|route| list(&route["spec"]["rules"])).any(|rule| {
        list(&rule["matches"]).any(|one| {
            one["path"]["type"] == "PathPrefix" && one["path"]["value"] == path && one["method"].is_null()
        }) && list(&rule["backendRefs"]).any(|backend| backend["name"] == service)
    })
}
