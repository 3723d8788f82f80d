import { expect, test } from "vitest";
import { HLS, hlsTags, loadedFiles, loadedScripts, pageAssets } from "./assets.ts";

const manifest = {
  "index.html": { file: "assets/index.js", isEntry: true, imports: ["_shared.js"] },
  "_shared.js": { file: "assets/shared.js", css: ["assets/shared.css"] },
  "_card.js": { file: "assets/card.js", css: ["assets/card.css"], imports: ["_shared.js"] },
  "src/shell/MypageLayout.tsx": { file: "assets/mypage.js", imports: ["_shared.js"] },
  "../../libs/catalog/src/Screen.tsx": {
    file: "assets/screen.js",
    css: ["assets/screen.css", "assets/card.css"],
    imports: ["_card.js", "_shared.js"],
  },
};

test("a page announces the files beyond the entry, each once", () => {
  const { scripts, stylesheets, scriptTags } = pageAssets(manifest, [
    "libs/catalog/src/Screen.tsx",
  ]);
  expect(scripts).toEqual(["/assets/screen.js", "/assets/card.js"]);
  expect(stylesheets).toEqual(["/assets/screen.css", "/assets/card.css"]);
  expect(scriptTags).toContain('<link rel="modulepreload" crossorigin href="/assets/screen.js">');
});

test("a page links no stylesheet of the template, also if its own chunk imports it", () => {
  const shared = {
    ...manifest,
    "../../libs/catalog/src/Kit.tsx": {
      file: "assets/kit-screen.js",
      css: ["assets/shared.css", "assets/kit-screen.css"],
      imports: ["_shared.js"],
    },
  };
  const { stylesheets, styleTags } = pageAssets(shared, ["libs/catalog/src/Kit.tsx"]);
  expect(stylesheets).toEqual(["/assets/kit-screen.css"]);
  expect(styleTags).toBe('<link rel="stylesheet" crossorigin href="/assets/kit-screen.css">');
});

test("chunks that load without an action count, with their imports", () => {
  const deferred = {
    ...manifest,
    "index.html": {
      ...manifest["index.html"],
      dynamicImports: ["src/Footer.tsx", "src/Menu.tsx", "../../libs/catalog/src/Screen.tsx"],
    },
    "src/Footer.tsx": { file: "assets/footer.js", dynamicImports: ["src/Map.tsx"] },
    "src/Map.tsx": { file: "assets/map.js", imports: ["_shared.js"] },
    "src/Menu.tsx": { file: "assets/menu.js" },
  };
  const scripts = loadedScripts(deferred, ["libs/catalog/src/Screen.tsx"], (key) =>
    /Menu|Screen/.test(key),
  );
  expect(scripts.toSorted()).toEqual(
    ["index", "shared", "screen", "card", "footer", "map"]
      .map((name) => `/assets/${name}.js`)
      .toSorted(),
  );
});

test("the modules of a page are found in the libraries and in the site", () => {
  const modules = ["apps/site/src/shell/MypageLayout.tsx", "libs/catalog/src/Screen.tsx"];
  const { scripts } = pageAssets(manifest, modules);
  expect(scripts).toEqual(["/assets/mypage.js", "/assets/screen.js", "/assets/card.js"]);
});

test("a screen that is missing in the build is an error", () => {
  expect(() => pageAssets(manifest, ["libs/catalog/src/Gone.tsx"])).toThrow("Gone.tsx");
});

test("the files of a page are its scripts, its stylesheets and their fonts and pictures, each once", () => {
  const withFace = {
    ...manifest,
    "index.html": { ...manifest["index.html"], dynamicImports: ["src/Draw.ts", "src/Menu.tsx"] },
    "src/Draw.ts": {
      file: "assets/draw.js",
      css: ["assets/draw.css", "assets/shared.css"],
      assets: ["assets/face.woff2"],
    },
    "src/Menu.tsx": { file: "assets/menu.js" },
  };
  expect(loadedFiles(withFace, [], (key) => key === "src/Menu.tsx")).toEqual([
    "/assets/index.js",
    "/assets/shared.js",
    "/assets/shared.css",
    "/assets/draw.js",
    "/assets/draw.css",
    "/assets/face.woff2",
  ]);
});

test("hls.js is announced for no medium, with the script that loads it", () => {
  const tags = hlsTags({
    [HLS]: { file: "assets/hls.js" },
    "src/hls-start.ts": { file: "assets/hls-start.js" },
  });
  expect(tags).toMatch(/<script type="module" async .*src="\/assets\/hls-start\.js">/);
  expect(tags).toMatch(/<link .*media="not all" data-hls href="\/assets\/hls\.js">/);
});
