import { expect, test } from "vitest";
import { pageAssets } from "./assets.ts";

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

test("a page announces what it loads beyond the entry, each file once", () => {
  const { scripts, stylesheets, tags } = pageAssets(manifest, ["libs/catalog/src/Screen.tsx"]);
  expect(scripts).toEqual(["/assets/screen.js", "/assets/card.js"]);
  expect(stylesheets).toEqual(["/assets/screen.css", "/assets/card.css"]);
  expect(tags).toContain('<link rel="modulepreload" crossorigin href="/assets/screen.js">');
});

test("the parts of a page are found in the libraries and in the site", () => {
  const modules = ["apps/site/src/shell/MypageLayout.tsx", "libs/catalog/src/Screen.tsx"];
  const { scripts } = pageAssets(manifest, modules);
  expect(scripts).toEqual(["/assets/mypage.js", "/assets/screen.js", "/assets/card.js"]);
});

test("a screen that the build does not have is an error, not a page without its script", () => {
  expect(() => pageAssets(manifest, ["libs/catalog/src/Gone.tsx"])).toThrow("Gone.tsx");
});
