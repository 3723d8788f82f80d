import { expect, test } from "vitest";
import { withModules } from "./screen-modules.ts";

const resolve = async (specifier: string) => `libs/catalog/src/${specifier.slice(2)}.tsx`;

test("each screen definition gets the source file that it imports", async () => {
  const code = `
    defineScreen({ pattern: "/", component: async () => (await import("./home/Home")).Home }),
    defineScreen<readonly Course[]>({
      ...page,
      component: async () => (await import("./Course")).Course,
      beside: async () => (await import("./Beside")).Beside,
    }),`;
  const told = await withModules(code, resolve);
  expect(told).toContain('defineScreen({ module: "libs/catalog/src/home/Home.tsx", pattern: "/"');
  expect(told).toContain(
    'defineScreen<readonly Course[]>({ module: "libs/catalog/src/Course.tsx",',
  );
  expect(told).not.toContain("Beside.tsx");
});

test("a definition without an import stays unchanged", async () => {
  const code =
    "export function defineScreen<Data>(screen: Screen<Data>) {}; defineScreen({ a: 1 });";
  expect(await withModules(code, resolve)).toBe(code);
});
