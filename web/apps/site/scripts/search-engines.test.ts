import { expect, test } from "vitest";
import { robots, sitemap } from "./search-engines.ts";

test("the sitemap contains the last change of a page, where it is known", () => {
  const text = sitemap([
    { path: "/", modified: undefined },
    { path: "/eula", modified: "2026-11-21" },
  ]);
  expect(text).toContain("<url><loc>http://127.0.0.1:8080/</loc></url>");
  expect(text).toContain(
    "<url><loc>http://127.0.0.1:8080/eula</loc><lastmod>2026-11-21</lastmod></url>",
  );
});

test("robots.txt contains the address of the sitemap", () => {
  expect(robots()).toContain("Sitemap: http://127.0.0.1:8080/sitemap.xml");
});
