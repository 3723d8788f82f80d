#!/bin/sh
# Brings a place to what its overlay says, in this order: all but the servers; the migrations, to their end; the servers,
# callers first (k8s/README.md, "The order of the servers").
# The first time and every time after; what is the same already stays as it is.
#
#   k8s/rollout.sh k8s/overlays/production
set -eu
overlay=${1:?which overlay? e.g. k8s/overlays/production}
part=app.kubernetes.io/component

set_of=$(mktemp)
trap 'rm -f "$set_of"' EXIT
kubectl kustomize "$overlay" >"$set_of"
namespace=$(awk '/^kind: Namespace$/ { found = 1 } found && /^  name: / { print $2; exit }' "$set_of")

if grep -q 'sha256:0\{64\}' "$set_of"; then
  echo "$overlay names images that were never released; see 'A release' in k8s/README.md" >&2
  exit 1
fi

echo "== all but the servers, in $namespace"
# A job is never changed; the last release's are in the way.
kubectl -n "$namespace" delete jobs -l "$part=migration" --ignore-not-found --wait
kubectl apply -f "$set_of" -l "$part!=server"

echo "== migrations"
if ! kubectl -n "$namespace" wait jobs -l "$part=migration" --for=condition=Complete --timeout=15m; then
  kubectl -n "$namespace" logs -l "$part=migration" --all-containers --prefix --tail=20 >&2
  echo "the schema could not be brought up to date; the servers are as they were" >&2
  exit 1
fi

for servers in "=edge" " notin (edge, site)" "=site"; do
  selector="$part=server,app.kubernetes.io/name$servers"
  echo "== servers: $selector"
  kubectl apply -f "$set_of" -l "$selector"
  kubectl -n "$namespace" rollout status deployments -l "$selector" --timeout=10m
done
