import { readFileSync } from "node:fs";
import type { CSSOptions, Plugin } from "vite";

const media = readFileSync(new URL("media.css", import.meta.url), "utf8");

/** Gives every stylesheet the names of the breakpoints, e.g. `@media (--phone)`. */
export const breakpoints: Plugin = {
  name: "breakpoints",
  enforce: "pre",
  transform: (code, id) =>
    /\.css(?:\?|$)/.test(id) && code.includes("(--") ? media + code : undefined,
};

/** How stylesheets are compiled, in the site as in its tests. */
export const css: CSSOptions = {
  transformer: "lightningcss",
  lightningcss: { drafts: { customMedia: true } },
};
