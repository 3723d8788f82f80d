import { type ESTree, parseAst, type Plugin } from "vite";

/**
 * Functions of React Router that the site never calls, by file: no route has an action, no screen
 * uses a fetcher or the router's form, nothing measures navigations, and the site announces scripts
 * itself. Bundlers keep them, because they are reached through the router's object or behind an
 * option.
 */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  "lib/router/router.js": ["handleAction", "fetch", "handleFetcherAction", "handleFetcherLoader"],
  "lib/router/instrumentation.js": ["getRouteInstrumentationUpdates", "instrumentClientSideRouter"],
  "lib/dom/lib.js": ["useSubmit", "useFormAction"],
  "lib/dom/ssr/components.js": ["PrefetchPageLinks"],
};

/** The bodies of functions, by name. */
function functionBodies(code: string, names: readonly string[]): Map<string, ESTree.Node> {
  const bodies = new Map<string, ESTree.Node>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const { type, id, body } = node as { type?: string; id?: { name: string }; body?: ESTree.Node };
    if (type === "FunctionDeclaration" && id && body && names.includes(id.name)) {
      if (bodies.has(id.name)) throw new Error(`React Router has two functions ${id.name}.`);
      bodies.set(id.name, body);
    }
    Object.values(node).forEach(visit);
  };
  visit(parseAst(code));
  return bodies;
}

/**
 * Empties functions: calling one throws. Fails if one is missing, e.g. after an update of the
 * router.
 */
export function withoutFunctions(code: string, names: readonly string[]): string {
  const bodies = functionBodies(code, names);
  const missing = names.filter((name) => !bodies.has(name));
  if (missing.length > 0) throw new Error(`React Router has no ${missing.join(", ")} any more.`);
  let short = code;
  // From the last one on, so the positions of the others stay valid.
  for (const { start, end } of [...bodies.values()].toSorted((a, b) => b.start - a.start))
    short = `${short.slice(0, start)}{throw Error("unused-router")}${short.slice(end)}`;
  return short;
}

/** Vite plugin that removes unused functions of React Router from the browser code. */
export const unusedRouter: Plugin = {
  name: "unused-router",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "client",
  transform(code, id) {
    const file = id.split("/react-router/dist/production/")[1];
    const names = file === undefined ? undefined : UNUSED[file];
    return names === undefined ? undefined : { code: withoutFunctions(code, names), map: null };
  },
};
