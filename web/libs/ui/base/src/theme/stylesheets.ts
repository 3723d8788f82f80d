import { readFileSync } from "node:fs";
import type { CSSOptions, Plugin } from "vite";

const media = readFileSync(new URL("media.css", import.meta.url), "utf8");

/**
 * Vite plugin: makes the breakpoint names available in every stylesheet, e.g. `@media (--phone)`.
 */
export const breakpoints: Plugin = {
  name: "breakpoints",
  enforce: "pre",
  transform: (code, id) =>
    /\.css(?:\?|$)/.test(id) && code.includes("(--") ? media + code : undefined,
};

/** CSS options of the site's build and of its tests. */
export const css: CSSOptions = {
  transformer: "lightningcss",
  lightningcss: { drafts: { customMedia: true } },
};
