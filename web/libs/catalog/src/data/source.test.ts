import { ApiError, connectApi } from "@konomana/api";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { snapshotSource } from "../snapshot";
import { browserSource } from "./source";

const ORIGIN = "https://konomana.example";
const json = (body: unknown, type = "application/json") =>
  new Response(JSON.stringify(body), { headers: { "content-type": type } });
const signal = new AbortController().signal;

/** Answers by path; what is not listed is 404, without a body. */
function serve(answers: Record<string, () => Response>) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (input: string | Request) => {
    const { pathname, search } = new URL(typeof input === "string" ? input : input.url, ORIGIN);
    asked.push(decodeURIComponent(pathname + search));
    return answers[pathname]?.() ?? new Response(null, { status: 404 });
  });
  return asked;
}

beforeEach(() => connectApi({ baseUrl: ORIGIN }));
afterEach(() => vi.unstubAllGlobals());

describe("spec §7: Prerendered pages fetch a payload file named _payload.json", () => {
  test("a course of the build is read from its payload", async () => {
    const asked = serve({ "/course/101/_payload.json": () => json({ id: 101 }) });
    expect(await browserSource.course(101, signal)).toEqual({ id: 101 });
    expect(asked).toEqual(["/course/101/_payload.json"]);
  });

  test("a course newer than the build is asked of the API", async () => {
    const asked = serve({ "/api/lms/course/900/": () => json({ id: 900 }) });
    expect(await browserSource.course(900, signal)).toEqual({ id: 900 });
    expect(asked).toEqual(["/course/900/_payload.json", "/api/lms/course/900/"]);
  });

  test("a page in a payload's place is not taken for data", async () => {
    serve({
      "/course/900/_payload.json": () => json("<!doctype html>", "text/html"),
      "/api/lms/course/900/": () => json({ id: 900 }),
    });
    expect(await browserSource.course(900, signal)).toEqual({ id: 900 });
  });

  test("a course that nobody knows is a 404", async () => {
    serve({});
    await expect(browserSource.course(900, signal)).rejects.toMatchObject({ status: 404 });
  });

  test("the whole list is read from its payload, a narrowed one from the API", async () => {
    const asked = serve({
      "/course/_payload.json": () => json({ count: 12 }),
      "/api/lms/course/": () => json({ count: 1, next: null, previous: null, results: [] }),
    });
    expect(await browserSource.list({}, signal)).toEqual({ count: 12 });
    expect(await browserSource.list({ school_year: "中1" }, signal)).toMatchObject({ count: 1 });
    expect(asked).toEqual(["/course/_payload.json", "/api/lms/course/?school_year=中1"]);
  });
});

test("at build time the snapshot answers, and knows what it does not have", async () => {
  const source = snapshotSource({ courses: [] });
  await expect(source.course(1, signal)).rejects.toBeInstanceOf(ApiError);
  expect(await source.list({}, signal)).toMatchObject({ count: 0, pages: 1, courses: [] });
});
