import { ApiError, connectApi } from "@konomana/http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { snapshotSource } from "../catalogSnapshot";
import { browserSource } from "./catalogueSource";

const ORIGIN = "https://konomana.example";
const json = (body: unknown, type = "application/json") =>
  new Response(JSON.stringify(body), { headers: { "content-type": type } });
const signal = new AbortController().signal;

/** Answers by path; any other path is a 404 without a body. */
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
    const built = { course: { id: 101 }, teacher: { id: 1 } };
    const asked = serve({ "/course/101/_payload.json": () => json(built) });
    expect(await browserSource.course(101, signal)).toEqual(built);
    expect(asked).toEqual(["/course/101/_payload.json"]);
  });

  const published = { id: 900, teacher: { id: 1, name: "佐倉みのり" } };
  const teacher = { id: 1, name: "佐倉みのり", kana: "サクラ ミノリ", subjects: [], message: "" };

  test("a course newer than the build is fetched from the API, with its teacher", async () => {
    const asked = serve({
      "/api/lms/course/900/": () => json(published),
      "/api/lms/teacher/1/": () => json({ ...teacher, career: "", courses: [] }),
    });
    expect(await browserSource.course(900, signal)).toEqual({ course: published, teacher });
    expect(asked).toEqual([
      "/course/900/_payload.json",
      "/api/lms/course/900/",
      "/api/lms/teacher/1/",
    ]);
  });

  test("a course opens although its teacher can't be fetched", async () => {
    serve({ "/api/lms/course/900/": () => json(published) });
    expect(await browserSource.course(900, signal)).toEqual({ course: published, teacher: null });
  });

  test("an HTML page in place of a payload is not used as data", async () => {
    serve({
      "/course/900/_payload.json": () => json("<!doctype html>", "text/html"),
      "/api/lms/course/900/": () => json(published),
    });
    expect((await browserSource.course(900, signal)).course).toEqual(published);
  });

  test("an unknown course is a 404", async () => {
    serve({});
    await expect(browserSource.course(900, signal)).rejects.toMatchObject({ status: 404 });
  });

  test("the whole list is read from its payload, a filtered list from the API", async () => {
    const facets = { school_year: [], category: [], level: [] };
    const asked = serve({
      "/course/_payload.json": () => json({ count: 12 }),
      "/api/lms/course/": () => json({ count: 1, next: null, previous: null, facets, results: [] }),
    });
    expect(await browserSource.list({}, signal)).toEqual({ count: 12 });
    const narrowed = { school_year: ["中1", "中2"], price_max: 15_000, q: "be動詞" };
    expect(await browserSource.list(narrowed, signal)).toMatchObject({ count: 1, facets });
    expect(asked).toEqual([
      "/course/_payload.json",
      "/api/lms/course/?school_year[]=中1&school_year[]=中2&price_max=15000&q=be動詞",
    ]);
  });

  test("the first page of teachers and those of the build come from payloads, others from the API", async () => {
    const asked = serve({
      "/teacher/_payload.json": () => json({ page: 1 }),
      "/teacher/1/_payload.json": () => json(teacher),
      "/api/lms/teacher/": () => json({ count: 21, next: null, previous: null, results: [] }),
    });
    expect(await browserSource.teachers(1, signal)).toEqual({ page: 1 });
    expect(await browserSource.teacher(1, signal)).toEqual(teacher);
    expect(await browserSource.teachers(2, signal)).toMatchObject({ page: 2, pages: 2 });
    await expect(browserSource.teacher(9, signal)).rejects.toMatchObject({ status: 404 });
    expect(asked.at(-1)).toBe("/api/lms/teacher/9/");
  });
});

describe("the front page", () => {
  const NOW = Date.parse("2026-11-24T09:00:00Z");
  const answers = {
    "/api/lms/home/": () => json({ shelves: [], featured: [], teachers: [] }),
    "/api/desk/notice/": () => json({ results: [] }),
    "/api/desk/success/2025/": () => json({ year: 2025, as_of: "2025-05-31", figures: [] }),
    "/api/desk/entry-exam/": () => json({ results: [] }),
  };
  const built = (minutes: number) => ({ as_of: NOW - minutes * 60_000, count: 12 });

  beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  test("less than an hour old makes no call to the API", async () => {
    const asked = serve({ ...answers, "/_payload.json": () => json(built(59)) });
    expect(await browserSource.home(signal)).toEqual(built(59));
    expect(asked).toEqual(["/_payload.json"]);
  });

  test("more than an hour old calls the API once, whatever the size of the catalogue", async () => {
    const asked = serve({ ...answers, "/_payload.json": () => json(built(61)) });
    expect(await browserSource.home(signal)).toMatchObject({ as_of: NOW, count: 0 });
    expect(asked.filter((path) => path.startsWith("/api/lms/"))).toEqual(["/api/lms/home/"]);
  });

  test("more than an hour old stays if the API can't be reached", async () => {
    serve({ "/_payload.json": () => json(built(61)) });
    expect(await browserSource.home(signal)).toEqual(built(61));
  });
});

test("at build time the snapshot answers, with a 404 for unknown ids", async () => {
  const told = { notices: [], success: [], entryExams: [], exams: [] };
  const source = snapshotSource({ courses: [], teachers: [] }, told);
  await expect(source.course(1, signal)).rejects.toBeInstanceOf(ApiError);
  await expect(source.teacher(1, signal)).rejects.toBeInstanceOf(ApiError);
  expect(await source.list({}, signal)).toMatchObject({ count: 0, pages: 1, courses: [] });
});
