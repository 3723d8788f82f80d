import { relative } from "node:path";
import type { Plugin } from "vite";

/**
 * Matches `defineScreen({`, `defineDomain({` or `defineLayout({` up to its first dynamic import.
 */
const DEFINITION =
  /(define(?:Screen|Domain|Layout)(?:<[^<>(]+>)?\(\{)((?:(?!define(?:Screen|Domain|Layout)).)*?import\("([^"]+)"\))/gs;

/**
 * Adds `module` to the definitions of a file. `resolve` returns the source file of an import,
 * relative to the workspace's root.
 */
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
 * Vite plugin that adds the source file to each screen, domain and layout for the prerender, so a
 * page can announce its scripts. Browser code does not get it.
 *
 * @param root the absolute path of the workspace
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
