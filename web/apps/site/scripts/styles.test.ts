import { expect, test } from "vitest";
import { inlineStyles, splitKit } from "./styles.ts";

const link = (name: string) => `<link rel="stylesheet" crossorigin href="/assets/${name}.css">`;
const page = (...names: string[]) => `<head><title>講座</title>${names.map(link).join("")}</head>`;
const read = async (path: string) => `.${path.slice("/assets/".length, -".css".length)}{}`;

test("a page contains its stylesheets, in order", async () => {
  const html = await inlineStyles(page("index-1", "screen-2"), read);
  expect(html).toContain("<title>講座</title><style>.index-1{}.screen-2{}</style>");
});

test("a stylesheet that is linked twice is inlined once", async () => {
  const html = await inlineStyles(page("index-1", "screen-2", "index-1"), read);
  expect(html.split(".index-1{}")).toHaveLength(2);
  expect(html.split("/assets/index-1.css")).toHaveLength(2);
});

test("the kit's stylesheet is never inlined: its link follows the page's own styles", async () => {
  const html = await inlineStyles(page("kit-9f_-", "index-1"), read);
  expect(html).not.toContain(".kit-9f_-{}");
  expect(html).toContain(`<style>.index-1{}</style>${link("kit-9f_-")}`);
});

test("links to inlined stylesheets are disabled and tell the chunk loader that the styles are present", async () => {
  const html = await inlineStyles(page("index-1"), read);
  expect(html).toContain('<link disabled rel="stylesheet" crossorigin href="/assets/index-1.css">');
});

test("a page without a stylesheet is an error", async () => {
  await expect(inlineStyles("<head></head>", read)).rejects.toThrow("no inlined stylesheet");
});

test("the kit's link is removed from a page, and nothing else", async () => {
  const html = await inlineStyles(page("kit-9f_-", "index-1"), read);
  const { page: rest, kit } = splitKit(html);
  expect(kit).toBe(link("kit-9f_-"));
  expect(rest).toBe(html.replace(kit, ""));
  expect(splitKit(rest)).toEqual({ page: rest, kit: "" });
});
