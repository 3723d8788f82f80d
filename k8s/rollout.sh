#!/bin/sh
# Applies an overlay in this order: everything but the servers; the migrations, until they are complete; the servers, callers
# first (k8s/README.md, "The order of the servers").
# For the first rollout and every later one. Objects that already match stay unchanged.
#
#   k8s/rollout.sh k8s/overlays/production
set -eu
overlay=${1:?which overlay? e.g. k8s/overlays/production}
part=app.kubernetes.io/component

set_of=$(mktemp)
trap 'rm -f "$set_of"' EXIT
kubectl kustomize "$overlay" >"$set_of"
namespace=$(awk '/^kind: Namespace$/ { found = 1 } found && /^  name: / { print $2; exit }' "$set_of")

# Prints a line for each migration: its name and its conditions that are true.
migrations() {
  kubectl -n "$namespace" get jobs -l "$part=migration" \
    -o jsonpath='{range .items[*]}{.metadata.name} {.status.conditions[?(@.status=="True")].type}{"\n"}{end}'
}

# Shows pods, logs and events of failed migrations. A pod without logs does not stop the output.
explain() {
  kubectl -n "$namespace" get pods -l "$part=migration" >&2 || true
  for job in $1; do
    echo "-- $job" >&2
    kubectl -n "$namespace" logs "job/$job" --all-pods --all-containers --prefix --tail=20 >&2 || true
    kubectl -n "$namespace" events --for "job/$job" >&2 || true
  done
  echo "the schema could not be brought up to date; the servers are as they were" >&2
}

if grep -q 'sha256:0\{64\}' "$set_of"; then
  echo "$overlay names images that were never released; see 'A release' in k8s/README.md" >&2
  exit 1
fi

echo "== all but the servers, in $namespace"
# A job's pod template is immutable, so the jobs of the last release are deleted first.
kubectl -n "$namespace" delete jobs -l "$part=migration" --ignore-not-found --wait
kubectl apply -f "$set_of" -l "$part!=server"

echo "== migrations"
# No timeout here: each job fails at its own deadline of 15 min.
seconds=0 unanswered=0
while :; do
  if ! state=$(migrations); then
    unanswered=$((unanswered + 1))
    [ $unanswered -lt 30 ] || { echo "the API server has not answered 30 times; the servers are as they were" >&2; exit 1; }
    sleep 1
    continue
  fi
  unanswered=0
  [ -n "$state" ] || { echo "$overlay has no migrations; the servers are as they were" >&2; exit 1; }
  failed=$(echo "$state" | awk '/ Fail/ { print $1 }')
  waiting=$(echo "$state" | awk '!/ Complete/ { print $1 }')
  [ -z "$failed" ] || { explain "$failed"; exit 1; }
  [ -n "$waiting" ] || break
  sleep 1
  seconds=$((seconds + 1))
  # Every 30 s, show what the jobs wait for: a missing image or Secret, a database that refuses the password.
  [ $((seconds % 30)) -ne 0 ] || {
    kubectl -n "$namespace" get pods -l "$part=migration" || true
    kubectl -n "$namespace" logs -l "$part=migration" --tail=1 --prefix || true
  }
done
echo "$state"

for servers in "=edge" " notin (edge, site)" "=site"; do
  selector="$part=server,app.kubernetes.io/name$servers"
  echo "== servers: $selector"
  kubectl apply -f "$set_of" -l "$selector"
  kubectl -n "$namespace" rollout status deployments -l "$selector" --timeout=10m
done
