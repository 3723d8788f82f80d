import { expect, test } from "vitest";
import { structuredData } from "./structured";

const ORIGIN = "https://konomana.example";

/** What stands in the elements. */
function read(html: string): unknown[] {
  const elements = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g);
  return [...elements].map(([, text]) => JSON.parse(text ?? "") as unknown);
}

test("what a screen says of its data is told with whole addresses", () => {
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

test("the way to a page begins at the front page", () => {
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

test("a screen that says nothing adds nothing", () => {
  expect(structuredData({}, null, ORIGIN)).toBe("");
});
