import { expect, test } from "vitest";
import { structuredData } from "./structured";

const ORIGIN = "https://konomana.example";

/** The parsed content of the elements. */
function read(html: string): unknown[] {
  const elements = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g);
  return [...elements].map(([, text]) => JSON.parse(text ?? "") as unknown);
}

test("a screen's structured data has absolute addresses", () => {
  const html = structuredData(
    {
      structured: (data, absolute) => [
        { "@type": "Course", name: data, url: absolute("/course/1") },
      ],
    },
    "be動詞",
    ORIGIN,
  );
  expect(read(html)).toEqual([
    { "@type": "Course", name: "be動詞", url: "https://konomana.example/course/1" },
  ]);
});

test("breadcrumbs begin at the front page", () => {
  const handle = { crumbs: () => [{ label: "お知らせ", to: "/notice" }] };
  expect(read(structuredData(handle, null, ORIGIN))).toMatchObject([
    {
      "@type": "BreadcrumbList",
      itemListElement: [
        { position: 1, name: "トップ", item: "https://konomana.example/" },
        { position: 2, name: "お知らせ", item: "https://konomana.example/notice" },
      ],
    },
  ]);
});

test("nothing that people wrote ends the element", () => {
  const words = [{ name: "</script><script>alert(1)</script>" }];
  const html = structuredData({ structured: () => words }, null, ORIGIN);
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(read(html)).toEqual(words);
});

test("a screen without structured data adds nothing", () => {
  expect(structuredData({}, null, ORIGIN)).toBe("");
});
