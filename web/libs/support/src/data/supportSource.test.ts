import { connectApi } from "@konomana/http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { content } from "../testing-content";
import { snapshotSource } from "../supportSnapshot";
import { browserSource } from "./supportSource";

const ORIGIN = "https://konomana.example";
const signal = new AbortController().signal;

/** Answers by path. Any other path is a 404. */
function serve(answers: Record<string, unknown>) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: string) => {
    const { pathname, search } = new URL(input, ORIGIN);
    asked.push(decodeURIComponent(pathname + search));
    return pathname in answers
      ? Response.json(answers[pathname])
      : new Response(null, { status: 404 });
  });
  return asked;
}

const list = (results: readonly unknown[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});

beforeEach(() => connectApi({ baseUrl: ORIGIN, cookies: () => null }));
afterEach(() => {
  vi.unstubAllGlobals();
});

test("spec §7: Prerendered pages fetch a payload file named _payload.json", async () => {
  const asked = serve({ "/notice/12/_payload.json": { notice: { id: 12 } } });
  expect(await browserSource.notice(12, signal)).toEqual({ notice: { id: 12 } });
  expect(asked).toEqual(["/notice/12/_payload.json"]);
});

test("a notice newer than the build is fetched from the API, with its neighbours", async () => {
  const [pinned, newest] = content.notices;
  serve({ "/api/desk/notice/14/": newest, "/api/desk/notice/": list(content.notices) });
  expect(await browserSource.notice(14, signal)).toEqual({
    notice: newest,
    newer: null,
    older: { id: pinned?.id, title: pinned?.title },
  });
});

test("a filtered list of answers comes from the API, all categories from the build", async () => {
  const [, free] = content.faqs;
  const asked = serve({
    "/inquiry/_payload.json": await snapshotSource(content).answers({}, signal),
    "/api/desk/faq/": list([free]),
  });
  expect(await browserSource.answers({ q: "無料" }, signal)).toMatchObject({
    count: 1,
    pages: 1,
    categories: ["料金・お支払い", "登録・ログイン"],
    answers: [{ id: 2 }],
  });
  expect(asked.toSorted()).toEqual(["/api/desk/faq/?q=無料", "/inquiry/_payload.json"]);
});

test("unknown data is a 404, in a browser and at build time", async () => {
  serve({});
  await expect(browserSource.answer(9, signal)).rejects.toMatchObject({ status: 404 });
  await expect(snapshotSource(content).answer(9, signal)).rejects.toMatchObject({ status: 404 });
});
