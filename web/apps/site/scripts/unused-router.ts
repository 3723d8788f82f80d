import { type ESTree, parseAst, type Plugin } from "vite";

/**
 * Functions of React Router that the site never calls, by file: no route has an action, no screen
 * uses a fetcher, a blocker or the router's form, the root route has an error page, nothing measures
 * navigations, and the site announces scripts itself. Bundlers keep them, because they are reached
 * through the router's object or behind an option.
 */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  "lib/router/router.js": [
    "handleAction",
    "fetch",
    "handleFetcherAction",
    "handleFetcherLoader",
    "getUpdatedRevalidatingFetchers",
    "getFetcher",
    "resetFetcher",
    "queueFetcherForDeletion",
    "abortFetcher",
    "deleteFetcher",
    "setFetcherError",
    "dispose",
    "getBlocker",
    "deleteBlocker",
    "updateBlocker",
    "_internalSetRoutes",
    "convertFormDataToSearchParams",
    "convertSearchParamsToFormData",
  ],
  "lib/router/instrumentation.js": ["getRouteInstrumentationUpdates", "instrumentClientSideRouter"],
  // Errors of React's server components.
  "lib/errors.js": ["decodeRouteErrorResponseDigest"],
  "lib/components.js": ["handleSkippedViewTransition"],
  "lib/hooks.js": ["DefaultErrorComponent", "RSCErrorHandler", "useNavigateUnstable"],
  "lib/dom/lib.js": ["Form", "useSubmit", "useFormAction", "deserializeErrors"],
  "lib/dom/ssr/components.js": ["PrefetchPageLinks"],
};

/** The name and the body of a declared function, or of a component made by `forwardRef`. */
function namedFunction(node: ESTree.Node): { name: string; body: ESTree.Node } | null {
  if (node.type === "FunctionDeclaration" && node.id && node.body)
    return { name: node.id.name, body: node.body };
  if (node.type !== "VariableDeclarator" || node.id.type !== "Identifier") return null;
  // `forwardRef((props, ref) => { … })`
  const made = node.init?.type === "CallExpression" ? node.init.arguments[0] : undefined;
  return made?.type === "ArrowFunctionExpression" ? { name: node.id.name, body: made.body } : null;
}

/** The bodies of functions, by name. */
function functionBodies(code: string, names: readonly string[]): Map<string, ESTree.Node> {
  const bodies = new Map<string, ESTree.Node>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== "object" || node === null) return;
    const found = "type" in node ? namedFunction(node as ESTree.Node) : null;
    if (found !== null && names.includes(found.name)) {
      if (bodies.has(found.name)) throw new Error(`React Router has two functions ${found.name}.`);
      bodies.set(found.name, found.body);
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
