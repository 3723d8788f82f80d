import { relative } from "node:path";
import type { Plugin } from "vite";

/** `defineScreen({`, `defineDomain({` or `defineLayout({` up to the first module that it imports when it is needed. */
const DEFINITION =
  /(define(?:Screen|Domain|Layout)(?:<[^<>(]+>)?\(\{)((?:(?!define(?:Screen|Domain|Layout)).)*?import\("([^"]+)"\))/gs;

/** Puts `module` into the definitions of a file. `resolve` gives the source file of an import, from the workspace's root. */
export async function withModules(
  code: string,
  resolve: (specifier: string) => Promise<string>,
): Promise<string> {
  const modules = new Map<string, string>();
  for (const [, , , specifier = ""] of code.matchAll(DEFINITION)) {
    modules.set(specifier, await resolve(specifier));
  }
  return code.replace(
    DEFINITION,
    (_, start: string, rest: string, specifier: string) =>
      `${start} module: ${JSON.stringify(modules.get(specifier))},${rest}`,
  );
}

/**
 * Tells the prerender from which source file each screen, domain and layout is loaded, so that a page can announce its scripts.
 * The code of browsers is left without it.
 *
 * @param root the workspace's folder, absolute
 */
export function screenModules(root: string): Plugin {
  return {
    name: "screen-modules",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "ssr",
    async transform(code, id) {
      if (!code.includes("define")) return;
      return withModules(code, async (specifier) => {
        const module = await this.resolve(specifier, id);
        if (module === null) throw new Error(`${id} imports ${specifier}, which is not there.`);
        return relative(root, module.id);
      });
    },
  };
}
