import { expect, test } from "vitest";
import { sharingTags } from "./sharingTags";

const page = {
  path: "/course/101",
  screen: {},
  head: '<title>中1英語｜コノマナ</title><meta name="description" content="be動詞の&quot;いろは&quot;"/>',
  picture: { path: "/share/course-101.png", alt: '講座「"A" & <B>」の絵' },
  origin: "https://www.konomana.example",
};

test("a page has its canonical address and its picture on the public origin", () => {
  const tags = sharingTags(page);
  expect(tags).toContain('<link rel="canonical" href="https://www.konomana.example/course/101">');
  expect(tags).toContain(
    'property="og:image" content="https://www.konomana.example/share/course-101.png"',
  );
  expect(tags).toContain('name="twitter:card" content="summary_large_image"');
});

test("title and description are repeated, and no user text ends an attribute", () => {
  const tags = sharingTags(page);
  expect(tags).toContain('property="og:title" content="中1英語｜コノマナ"');
  expect(tags).toContain('content="be動詞の&quot;いろは&quot;"');
  expect(tags).toContain('content="講座「&quot;A&quot; &amp; &lt;B>」の絵"');
});

test("a page excluded from search engines has a noindex tag and no address", () => {
  const tags = sharingTags({ ...page, path: "/line-bridge", screen: { hidden: true } });
  expect(tags).toBe('<meta name="robots" content="noindex">');
});

test("a page without a description is an error", () => {
  expect(() => sharingTags({ ...page, head: "<title>x</title>" })).toThrow("/course/101");
});
