#!/bin/sh
# Restore drill: restores the newest backup, or the state at a given time, into a separate namespace, checks that the data of
# learners is in it, prints how long it took, and deletes the namespace. Changes nothing else.
#
#   k8s/drills/restore.sh [--keep] [NAMESPACE [TIME]]     e.g. konomana "2026-11-21 09:00:00+09"
set -eu
keep=
if [ "${1:-}" = --keep ]; then
  keep=yes
  shift
fi
from=${1:-konomana}
time=${2:-}
drill=konomana-drill
here=$(dirname "$0")

if kubectl get namespace "$drill" >/dev/null 2>&1; then
  echo "the namespace $drill exists: another drill is running or was kept (kubectl delete namespace $drill)" >&2
  exit 1
fi
set_of=$(mktemp)
finish() {
  rm -f "$set_of"
  if [ -n "$keep" ]; then
    echo "kept: kubectl delete namespace $drill"
  else
    kubectl delete namespace "$drill" --ignore-not-found --wait=false
  fi
}
trap finish EXIT
begun=$(date +%s)

kubectl kustomize "$here/restore" | awk -v time="$time" '
  { print }
  time != "" && /^      source: production$/ { printf "      recoveryTarget:\n        targetTime: \"%s\"\n", time }
' >"$set_of"
kubectl apply -f "$here/restore/namespace.yaml"

# The location of the backups and the credentials, copied from the product's namespace.
copy() {
  value=$(kubectl -n "$from" get "$3" "$4" -o "jsonpath={.$5}")
  printf '{"apiVersion":"%s","kind":"%s","metadata":{"name":"%s","namespace":"%s"},"%s":%s}' \
    "$1" "$2" "$4" "$drill" "$5" "$value" | kubectl apply -f -
}
copy v1 Secret secret postgres-backup data
copy barmancloud.cnpg.io/v1 ObjectStore objectstore postgres spec

kubectl apply -f "$set_of"
echo "== restoring"
kubectl -n "$drill" wait cluster/postgres --for=condition=Ready --timeout=2h
echo "== restored after $(($(date +%s) - begun)) s; what is in it:"

ask() {
  kubectl -n "$drill" exec postgres-1 -c postgres -- psql -X -A -t -d "$1" -c "$2"
}
accounts=$(ask auth 'SELECT count(*) FROM account')
inventory=$(ask lms 'SELECT count(*) FROM inventory')
newest=$(ask lms 'SELECT COALESCE(max(last_seen)::text, $$never$$) FROM watch')
products=$(ask commerce 'SELECT count(*) FROM product')
notices=$(ask desk 'SELECT count(*) FROM notice')
echo "accounts: $accounts, owned courses: $inventory, last watched: $newest, products: $products, notices: $notices"
if [ "$accounts" -eq 0 ] || [ "$inventory" -eq 0 ] || [ "$products" -eq 0 ]; then
  echo "the backup has no accounts, no owned courses or no products" >&2
  exit 1
fi
echo "== complete after $(($(date +%s) - begun)) s: note it with the figures above (k8s/README.md, 'Restore drill')"
