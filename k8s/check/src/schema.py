"""Validates Kubernetes objects: built-in kinds by kubernetes-validate, custom ones by the schemas given.

Reads a file with {"versions": [...], "schemas": {"group/version/Kind": schema}, "objects": [...]} and prints one list of
[kind of fault, why] for each object. Strict: an unknown key is a fault.
"""

import copy
import datetime
import functools
import json
import sys

import jsonschema
import kubernetes_validate
from kubernetes_validate import utils

# Read once, not for each object.
utils.schema_contents = functools.lru_cache(maxsize=None)(utils.schema_contents)

METADATA = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "namespace": {"type": "string"},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}


FORMATS = jsonschema.FormatChecker(formats=())


@FORMATS.checks("date-time", raises=ValueError)
def is_time(value):
    return not isinstance(value, str) or datetime.datetime.fromisoformat(value.replace("Z", "+00:00")).tzinfo is not None


def closed(schema):
    """The schema with unknown keys refused wherever it lists the known ones, and OpenAPI's own words translated."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    result = {}
    for key, value in schema.items():
        if key == "properties":
            result[key] = {name: closed(one) for name, one in value.items()}
        else:
            result[key] = closed(value)
    if result.pop("x-kubernetes-int-or-string", False):
        result.pop("anyOf", None)
        result["type"] = ["integer", "string"]
    if "properties" in result and not result.pop("x-kubernetes-preserve-unknown-fields", False):
        result.setdefault("additionalProperties", False)
    if result.pop("nullable", False) and isinstance(result.get("type"), str):
        result["type"] = [result["type"], "null"]
        if "enum" in result:
            result["enum"] = result["enum"] + [None]
    return result


def whole(schema):
    """What the API server adds to a custom kind's own schema."""
    schema = copy.deepcopy(schema)
    schema.setdefault("type", "object")
    properties = schema.setdefault("properties", {})
    properties["apiVersion"] = {"type": "string"}
    properties["kind"] = {"type": "string"}
    properties["metadata"] = METADATA
    return jsonschema.Draft202012Validator(closed(schema), format_checker=FORMATS)


def place(error):
    return "/".join(str(part) for part in error.absolute_path) or "the object"


def faults(item, versions, validators):
    name = "%s/%s" % (item.get("apiVersion"), item.get("kind"))
    if name in validators:
        return [["schema", "%s: %s" % (place(error), error.message)] for error in validators[name].iter_errors(item)]
    found = []
    for version in versions:
        try:
            kubernetes_validate.validate(item, version, strict=True)
        except kubernetes_validate.SchemaNotFoundError:
            found.append(["unknown", "Kubernetes %s knows no %s, nor does k8s/tests/schemas" % (version, name)])
        except kubernetes_validate.ValidationError as error:
            found.append(["schema", "Kubernetes %s: %s: %s" % (version, place(error), error.message)])
    return found


def main():
    with open(sys.argv[1]) as file:
        given = json.load(file)
    validators = {name: whole(schema) for name, schema in given["schemas"].items()}
    json.dump([faults(item, given["versions"], validators) for item in given["objects"]], sys.stdout)


main()
