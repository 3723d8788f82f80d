import { beforeEach, describe, expect, test } from "vitest";
import { call, callPublic } from "./call";
import { everyPage, pageKey } from "./pages";
import { serve } from "./testing/apiServer";
import { connectApi } from "./transport/connection";

const page = { count: 0, next: null, previous: null, results: [] };

beforeEach(() => {
  connectApi({
    session: { token: async () => "t1", renew: async () => "t2", lost: () => {} },
    cookies: () => "XSRF-TOKEN=nonce.mac",
  });
});

/** Type tests: each line compiles only if it has the expected error. */
export function wrongCalls() {
  // @ts-expect-error -- no such path
  void call("GET", "/api/lms/lessons/");
  // @ts-expect-error -- the path has no DELETE
  void call("DELETE", "/api/lms/inventory/");
  // @ts-expect-error -- the id of the path is missing
  void call("GET", "/api/lms/lesson/{id}/");
  // @ts-expect-error -- a path without parameters takes none
  void call("GET", "/api/lms/week/", { params: { id: 1 } });
  // @ts-expect-error -- the query has no such name
  void call("GET", "/api/lms/recent/", { query: { lesson: 1 } });
  // @ts-expect-error -- a field of the body is missing
  void callPublic("POST", "/api/accounts/login/", { body: { email: "a@demo.example" } });
  // @ts-expect-error -- an inquiry has an idempotency key
  void callPublic("POST", "/api/desk/contact/", { body: {} as never });
  // @ts-expect-error -- the answer has no such field
  void call("GET", "/api/accounts/user/").then((user) => user.mail);
}

describe("call", () => {
  test("fills the path, and percent-encodes the values", async () => {
    const { received } = await serve(() => ({ body: {} }));
    await call("GET", "/api/lms/lesson/{id}/", { params: { id: "a/b?" } });
    expect(received[0]?.path).toBe("/api/lms/lesson/a%2Fb%3F/");
  });

  test("writes query arrays with brackets", async () => {
    const { received } = await serve(() => ({ body: page }));
    await callPublic("GET", "/api/lms/course/", { query: { level: ["基礎"], page: 2 } });
    expect(decodeURIComponent(received[0]?.path ?? "")).toBe(
      "/api/lms/course/?level[]=基礎&page=2",
    );
  });

  test("with a token of the caller throws a 401 like any other failure", async () => {
    const { received } = await serve(() => ({ status: 401, body: {} }));
    const body = { password: "old", new_password: "new" };
    const sent = call("POST", "/api/accounts/password/", { body, token: "mine" });
    await expect(sent).rejects.toMatchObject({ status: 401 });
    expect(received.map(({ headers }) => headers.authorization)).toEqual(["Bearer mine"]);
  });
});

describe("pages", () => {
  test("every page is read through the server's links", async () => {
    const { received } = await serve(({ path }) => ({
      body: path.includes("page=2")
        ? { ...page, results: [{ id: 2 }] }
        : {
            ...page,
            next: "http://konomana.example/api/lms/teacher/?page=2",
            results: [{ id: 1 }],
          },
    }));
    const teachers = await everyPage((link) => callPublic("GET", "/api/lms/teacher/", { link }));
    expect(teachers.map(({ id }) => id)).toEqual([1, 2]);
    expect(received.map(({ path }) => path)).toEqual([
      "/api/lms/teacher/",
      "/api/lms/teacher/?page=2",
    ]);
  });

  test("a page has one key, by number or by link", () => {
    const link = "http://konomana.example/api/lms/inventory/?page=2&sort_by_watchhistory=true";
    expect(pageKey({ sort_by_watchhistory: true, page: 2 })).toBe(pageKey({}, link));
    expect(pageKey({ page: 2 })).not.toBe(pageKey({ page: 3 }));
  });
});
