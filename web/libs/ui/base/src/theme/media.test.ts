import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { media } from "./media";

const stylesheet = readFileSync(new URL("media.css", import.meta.url), "utf8");

test.each(Object.entries(media))("%s is the same breakpoint in stylesheets", (name, query) => {
  expect(stylesheet).toContain(`@custom-media --${name} ${query};`);
});
