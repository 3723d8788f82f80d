"""Runs a Tiltfile without Tilt: its built-ins are stubs that remember what they were told, and what is wrong with it.

Arguments: the Tiltfile, kubectl, the folder it is run in. Prints one fault a line; ends with 1 where there is one.
"""

import ast
import os
import subprocess
import sys

import yaml

# Features of Python that Starlark, Tilt's language, does not have.
NO_STARLARK = (
    ast.Import, ast.ImportFrom, ast.While, ast.ClassDef, ast.Try, ast.With, ast.Raise, ast.Global, ast.Nonlocal,
    ast.JoinedStr, ast.Is, ast.IsNot, ast.Pow, ast.Set, ast.SetComp, ast.GeneratorExp, ast.Yield, ast.Await,
    ast.Assert, ast.Delete, ast.NamedExpr, ast.AnnAssign, ast.AsyncFunctionDef,
)
# Build output, which may not exist yet.
BUILT = (".dev/media", "target/", "web/apps/site/dist", "web/node_modules")
WORKLOADS = ("Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob", "Pod")

faults = []
names = set()       # of resources
waits = []          # (resource, dependency)
images = set()      # built here
objects = []        # applied
contexts = []


def fault(text):
    faults.append(text)


def there(path, who):
    """Checks that a file or folder exists or is built."""
    if not isinstance(path, str):
        fault("%s: %r is no path" % (who, path))
    elif not path.startswith(BUILT) and not os.path.exists(path):
        fault("%s: %s is not there" % (who, path))


def command(value, who):
    """Files of the repository that a command names are there."""
    for word in " ".join(paths(value)).replace("'", " ").replace('"', " ").split():
        if word.startswith(("k8s/", "services/", "proto/", "web/")):
            there(word.rstrip(";"), who)


def paths(value):
    return [value] if isinstance(value, str) else list(value or [])


class Remembered(dict):
    """What a stub gives back."""


class Blob(str):
    """Text that is not a file's name."""


def resource(name, deps):
    if name in names:
        fault("%s: there are two" % name)
    names.add(name)
    waits.extend((name, dep) for dep in deps or [])


def load(module, *symbols, **renamed):
    known = EXTENSIONS.get(module)
    for here, there_name in [(one, one) for one in symbols] + list(renamed.items()):
        if known is None or there_name not in known:
            fault("load: %s has no %s that is known here" % (module, there_name))
        else:
            scope[here] = known[there_name]


def applied():
    """The objects; `objects` is also a word of k8s_resource."""
    return objects


def allow_k8s_contexts(allowed):
    contexts.extend(paths(allowed))


def local_resource(name, cmd="", deps=None, trigger_mode=None, resource_deps=None, ignore=None, auto_init=True,
                   serve_cmd="", labels=None, links=None, env=None, serve_env=None, readiness_probe=None, dir="",
                   serve_dir="", allow_parallel=False):
    resource(name, resource_deps)
    for path in paths(deps):
        there(path, name)
    for place in (dir, serve_dir):
        if place:
            there(place, name)
    command(cmd, name)
    command(serve_cmd, name)
    if not cmd and not serve_cmd:
        fault("%s: does nothing" % name)


def docker_build(ref, context, build_args=None, dockerfile="", dockerfile_contents="", live_update=None,
                 match_in_env_vars=False, ignore=None, only=None, entrypoint=None, target="", ssh=None, network="",
                 secret=None, extra_tag=None, container_args=None, cache_from=None, pull=False, platform=""):
    images.add(ref)
    there(context, ref)
    if dockerfile:
        there(dockerfile, ref)
    elif not dockerfile_contents:
        there(os.path.join(context, "Dockerfile"), ref)
    sent = paths(only)
    for path in sent:
        there(os.path.normpath(os.path.join(context, path)), ref)
    for line in str(dockerfile_contents).splitlines():
        words = [word for word in line.split() if not word.startswith("--")]
        if words[:1] == ["COPY"]:
            for source in words[1:-1]:
                if sent and source not in sent:
                    fault("%s: copies %s, which is not sent to the build" % (ref, source))
    for step in live_update or []:
        if isinstance(step, Remembered) and "local_path" in step:
            there(step["local_path"], ref)


def docker_build_with_restart(ref, context, entrypoint, live_update, base_suffix="-tilt_docker_build_with_restart_base",
                              restart_file="/.restart-proc", trigger=None, exit_policy="restart", **rest):
    docker_build(ref, context, live_update=live_update, **rest)


def custom_build(ref, command, deps, tag="", disable_push=False, skips_local_docker=False, live_update=None,
                 match_in_env_vars=False, ignore=None, entrypoint=None, command_bat="", outputs_image_ref_to="",
                 container_args=None, env=None, dir=""):
    images.add(ref)
    for path in paths(deps):
        there(path, ref)


def sync(local_path, remote_path):
    if not remote_path.startswith("/"):
        fault("sync: %s is not absolute" % remote_path)
    return Remembered(local_path=local_path)


def kustomize(path, kustomize_bin="", flags=None):
    there(path, "kustomize")
    rendered = subprocess.run([sys.argv[2], "kustomize", path], capture_output=True, text=True)
    if rendered.returncode:
        fault("kustomize %s: %s" % (path, rendered.stderr.strip()))
    return Blob(rendered.stdout)


def read_file(path, default=None):
    if default is None:
        there(path, "read_file")
    return Blob(open(path).read() if os.path.exists(path) else default or "")


def k8s_yaml(given, allow_duplicates=False):
    for one in [given] if isinstance(given, (str, Blob)) else given:
        if not isinstance(one, Blob):
            there(one, "k8s_yaml")
            one = read_file(one)
        objects.extend(item for item in yaml.safe_load_all(one) if item)


def k8s_resource(workload="", new_name="", port_forwards=None, extra_pod_selectors=None, trigger_mode=None,
                 resource_deps=None, objects=None, auto_init=True, pod_readiness="", links=None, labels=None,
                 discovery_strategy=""):
    if workload and not any(is_workload(item, workload) for item in applied()):
        fault("k8s_resource: no workload is called %s" % workload)
    if not workload and not objects:
        fault("k8s_resource %s: is about nothing" % new_name)
    for one in objects or []:
        name, _, kind = one.partition(":")
        kind = kind.split(":")[0]
        if not any(item["metadata"]["name"] == name and item["kind"].lower() in (kind.lower(), "") for item in applied()):
            fault("k8s_resource %s: there is no %s" % (new_name or workload, one))
    configured.add(workload)
    resource(new_name or workload, resource_deps)


def is_workload(item, name):
    return item["kind"] in WORKLOADS and item["metadata"]["name"] == name


def cmd_button(name, resource="", argv=None, text=None, location=None, icon_name=None, icon_svg=None, inputs=None,
               env=None, dir=None, requires_confirmation=False, disabled=False):
    command(argv, "button " + name)
    if not argv:
        fault("button %s: does nothing" % name)
    if resource:
        waits.append(("button " + name, resource))


def remembers(*known):
    """A stub that takes these words, and gives back what it was told."""
    def stub(*given, **words):
        for word in words:
            if word not in known:
                fault("%s is no word of %s" % (word, known))
        return Remembered(words)
    return stub


class Location:
    NAV = "nav"
    RESOURCE = "resource"


EXTENSIONS = {
    "ext://restart_process": {"docker_build_with_restart": docker_build_with_restart},
    "ext://uibutton": {
        "cmd_button": cmd_button,
        "location": Location,
        "text_input": remembers("name", "label", "default", "placeholder"),
        "bool_input": remembers("name", "label", "default"),
        "choice_input": remembers("name", "label", "choices"),
    },
}
configured = set()
scope = {
    "load": load,
    "allow_k8s_contexts": allow_k8s_contexts,
    "local_resource": local_resource,
    "docker_build": docker_build,
    "custom_build": custom_build,
    "sync": sync,
    "run": remembers("trigger", "echo_off"),
    "fall_back_on": remembers(),
    "initial_sync": remembers(),
    "kustomize": kustomize,
    "read_file": read_file,
    "blob": Blob,
    "k8s_yaml": k8s_yaml,
    "k8s_resource": k8s_resource,
    "link": remembers("name"),
    "port_forward": remembers("name", "link_path", "host", "container_port"),
    "probe": remembers("period_secs", "http_get", "tcp_socket", "exec", "timeout_secs", "initial_delay_secs",
                       "success_threshold", "failure_threshold"),
    "http_get_action": remembers("port", "host", "scheme", "path"),
    "exec_action": remembers("command"),
    "tcp_socket_action": remembers("port", "host"),
    "update_settings": remembers("max_parallel_updates", "k8s_upsert_timeout_secs", "suppress_unused_image_warnings"),
    "version_settings": remembers("check_updates", "constraint"),
    "watch_settings": remembers("ignore"),
    "k8s_kind": remembers("api_version", "image_json_path", "image_object", "pod_readiness"),
    "fail": fault,
    "warn": remembers(),
    "TRIGGER_MODE_AUTO": "auto",
    "TRIGGER_MODE_MANUAL": "manual",
    # Builtins that Starlark and Python share.
    "__builtins__": {one.__name__: one for one in (
        abs, all, any, bool, dict, dir, enumerate, float, getattr, hasattr, int, len, list, max, min, print, range, repr,
        reversed, sorted, str, tuple, type, zip)},
}


def image(reference):
    """Without tag and digest."""
    reference = reference.split("@")[0]
    head, _, tail = reference.rpartition("/")
    return (head + "/" if head else "") + tail.split(":")[0]


def used(value):
    """Every image that the objects run."""
    if isinstance(value, dict):
        found = {image(value["image"])} if isinstance(value.get("image"), str) else set()
        return found.union(*(used(one) for one in value.values()))
    if isinstance(value, list):
        return set().union(*(used(one) for one in value))
    return set()


def main():
    path = sys.argv[1]
    source = open(path).read()
    os.chdir(sys.argv[3])
    tree = ast.parse(source, path)
    for node in ast.walk(tree):
        if isinstance(node, NO_STARLARK):
            fault("line %d: Starlark has no %s" % (getattr(node, "lineno", 0), type(node).__name__))
    try:
        exec(compile(tree, path, "exec"), scope)
    except Exception as error:
        line = error.__traceback__.tb_next.tb_lineno if error.__traceback__.tb_next else 0
        fault("line %d: %s: %s" % (line, type(error).__name__, error))
    if not contexts:
        fault("allow_k8s_contexts was never called: any cluster could be written to")
    # Tilt creates a resource for every workload, configured or not.
    names.update(item["metadata"]["name"] for item in objects
                 if item["kind"] in WORKLOADS and item["metadata"]["name"] not in configured)
    for who, whom in waits:
        if whom not in names:
            fault("%s: waits for %s, which is no resource" % (who, whom))
    running = used(objects)
    for one in sorted(images - running):
        fault("%s: is built, and nothing runs it" % one)
    for one in sorted(one for one in running - images if one.startswith("konomana/")):
        fault("%s: is run, and nothing builds it" % one)
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


main()
