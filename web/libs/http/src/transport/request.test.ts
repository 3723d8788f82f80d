import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../errors";
import { calls } from "../testing/calls";
import { problem, serve } from "../testing/apiServer";
import { connectApi } from "./connection";

const page = { count: 0, next: null, previous: null, results: [] };

beforeEach(() => {
  connectApi({
    session: { token: async () => "t1", renew: async () => "t2", lost: () => {} },
    cookies: () => "XSRF-TOKEN=nonce.mac",
    onMaintenance: () => {},
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each([202, 204])("an answer %i may have no body", async (status) => {
  await serve(() => ({ status }));
  await expect(calls.logout()).resolves.toBeFalsy();
});

/** The error of a failing call. */
const failure = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => expect.unreachable("The call should have failed."),
    (error: ApiError) => error,
  );

describe("spec §9: GET requests are retried once on status 408, 409, 425, 429, 500, 502, 503, 504", () => {
  test.each([408, 409, 425, 429, 500, 502, 503, 504])("%i", async (status) => {
    const { received } = await serve((_, count) =>
      count === 1 ? problem(status, "INTERNAL") : { body: page },
    );
    await expect(calls.courses()).resolves.toEqual(page);
    expect(received).toHaveLength(2);
  });

  test("once, not twice", async () => {
    const { received } = await serve(() => problem(502, "UPSTREAM_UNAVAILABLE"));
    expect(await failure(calls.courses())).toMatchObject({ status: 502 });
    expect(received).toHaveLength(2);
  });

  test.each([400, 403, 404, 413, 501])("%i is not retried", async (status) => {
    const { received } = await serve(() => problem(status, "INVALID"));
    expect(await failure(calls.courses())).toMatchObject({ status });
    expect(received).toHaveLength(1);
  });
});

describe("spec §9: POST, PUT, PATCH, DELETE are not retried", () => {
  test.each([
    ["POST", () => calls.login({ email: "a@demo.example", password: "wrong" })],
    ["PUT", () => calls.setCheck(1, true)],
    ["DELETE", () => calls.setCheck(1, false)],
  ])("%s", async (method, call) => {
    const { received } = await serve(() => problem(500, "INTERNAL"));
    expect(await failure(call())).toMatchObject({ status: 500 });
    expect(received.map((request) => request.method)).toEqual([method]);
  });
});

/** Answers without a network, so that only the fake clock counts. It also counts the tries. */
function answerFromMemory(answer: (count: number, init: RequestInit) => Promise<Response>) {
  vi.useFakeTimers();
  const fetching = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
  fetching.mockImplementation((_, init) => answer(fetching.mock.calls.length, init));
  vi.stubGlobal("fetch", fetching);
  return fetching;
}

/** How long the client waits before it retries a GET. */
async function waitBeforeRetry(headers: Record<string, string>, status = 429): Promise<number> {
  const sentAt: number[] = [];
  answerFromMemory(async (count) => {
    sentAt.push(Date.now());
    return count === 1 ? Response.json({}, { status, headers }) : Response.json(page);
  });
  const call = calls.courses();
  await vi.runAllTimersAsync();
  await call;
  const [first = Number.NaN, second = Number.NaN] = sentAt;
  return second - first;
}

describe("retry", () => {
  test.each([
    [0, 200],
    [0.999, 600],
  ])("waits for a jitter of 200 to 600 ms (%f)", async (random, wait) => {
    vi.spyOn(Math, "random").mockReturnValue(random);
    expect(Math.abs((await waitBeforeRetry({})) - wait)).toBeLessThanOrEqual(1);
  });

  test("honours Retry-After", async () => {
    expect(await waitBeforeRetry({ "retry-after": "3" })).toBe(3000);
  });

  test("honours Retry-After up to 5 s", async () => {
    expect(await waitBeforeRetry({ "retry-after": "3600" })).toBe(5000);
  });

  test("follows a lost connection, too", async () => {
    const fetching = answerFromMemory((count) =>
      count === 1 ? Promise.reject(new TypeError("lost")) : Promise.resolve(Response.json(page)),
    );
    const call = calls.courses();
    await vi.runAllTimersAsync();
    await expect(call).resolves.toEqual(page);
    expect(fetching).toHaveBeenCalledTimes(2);
  });

  test("does not happen if the call is aborted during the wait", async () => {
    const fetching = answerFromMemory(async () => Response.json({}, { status: 500 }));
    const leaving = new AbortController();
    const call = failure(calls.courses({}, leaving.signal));
    await vi.advanceTimersByTimeAsync(10);
    leaving.abort();
    await vi.runAllTimersAsync();
    expect(await call).toMatchObject({ code: "REPLACED" });
    expect(fetching).toHaveBeenCalledOnce();
  });

  test("does not wait for the end of a maintenance", async () => {
    expect(await waitBeforeRetry({ "retry-after": "3600" }, 503)).toBeLessThanOrEqual(600);
  });
});

describe("spec §8: Requests are aborted on timeout", () => {
  test("spec §9: Client HTTP timeout 25000 ms", async () => {
    const fetching = answerFromMemory(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason as Error));
        }),
    );
    const error = vi.fn<(error: ApiError) => void>();
    void failure(calls.courses()).then(error);
    await vi.advanceTimersByTimeAsync(24_999);
    expect(error).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(error.mock.calls[0]?.[0]).toMatchObject({ status: 0, code: "TIMEOUT" });
    expect(fetching).toHaveBeenCalledOnce();
  });
});

describe("spec §8: Requests are aborted when a newer identical request replaces them", () => {
  test("the older request fails, the newer one succeeds", async () => {
    const { received } = await serve((_, count) => (count === 1 ? null : { body: page }));
    const older = failure(calls.courses({ page: 1 }));
    await vi.waitFor(() => expect(received).toHaveLength(1));
    const newer = calls.courses({ page: 1 });
    expect(await older).toMatchObject({ code: "REPLACED" });
    await expect(newer).resolves.toEqual(page);
  });

  test("requests with another query, method or body are not identical", async () => {
    const release = Promise.withResolvers<void>();
    await serve(async () => {
      await release.promise;
      return { body: page };
    });
    const sent = [
      calls.courses({ page: 1 }),
      calls.courses({ page: 2 }),
      calls.setCheck(1, true),
      calls.setCheck(1, false),
    ];
    release.resolve();
    await expect(Promise.all(sent)).resolves.toHaveLength(4);
  });
});

describe("headers", () => {
  test("spec §7: Bearer type for the account calls; for the learning calls the token value is sent as is", async () => {
    const { received } = await serve(() => ({ body: page }));
    await calls.user();
    await calls.favorites();
    expect(received.map(({ headers }) => headers.authorization)).toEqual(["Bearer t1", "t1"]);
  });

  test("public calls carry no token", async () => {
    const { received } = await serve(() => ({ body: page }));
    await calls.courses();
    await calls.login();
    for (const { headers } of received) expect(headers.authorization).toBeUndefined();
  });

  test("spec §7: The CSRF cookie is returned in the X-XSRF-TOKEN header", async () => {
    const { received } = await serve(() => ({ status: 204 }));
    await calls.setCheck(1, true);
    expect(received[0]?.headers["x-xsrf-token"]).toBe("nonce.mac");
  });

  test("a missing cookie is fetched first, once for all waiting calls", async () => {
    let cookie = "";
    connectApi({ cookies: () => cookie });
    const { received } = await serve(({ path }) => {
      if (path !== "/api/maintenance/") return { status: 204 };
      cookie = "XSRF-TOKEN=fresh.mac";
      return { body: { windows: [] } };
    });
    await Promise.all([calls.setCheck(1, true), calls.setCheck(2, true)]);
    expect(received.map(({ method }) => method)).toEqual(["GET", "PUT", "PUT"]);
    expect(received[2]?.headers["x-xsrf-token"]).toBe("fresh.mac");
  });

  test("a traceparent is sent, and the error has its trace id", async () => {
    const { received } = await serve(() => ({ status: 500, body: {} }));
    const error = await failure(calls.setCheck(1, true));
    expect(received[0]?.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(received[0]?.headers.traceparent).toContain(error.traceId);
  });

  test("a body is sent as JSON with its content type", async () => {
    const { received } = await serve(() => ({ body: {} }));
    await calls.refresh("r1");
    expect(received[0]).toMatchObject({
      method: "POST",
      path: "/api/accounts/token/refresh/",
      body: '{"refresh":"r1"}',
      headers: { "content-type": "application/json" },
    });
  });
});

describe("paths", () => {
  test("spec §7: query sort_by_watchhistory=true, page", async () => {
    const { received } = await serve(() => ({ body: page }));
    await calls.inventory(2);
    expect(received[0]?.path).toBe("/api/lms/inventory/?sort_by_watchhistory=true&page=2");
  });

  test("spec §7: query lesson__unit__chapter__course = course id", async () => {
    const { received } = await serve(() => ({ body: page }));
    await calls.favorites(101);
    expect(received[0]?.path).toBe("/api/lms/favorite/?lesson__unit__chapter__course=101");
  });

  test("spec §7: next or previous URL of a paged response is followed", async () => {
    const { origin, received } = await serve(() => ({ body: page }));
    await calls.inventory(1, `${origin}/api/lms/inventory/?page=3&sort_by_watchhistory=true`);
    expect(received[0]?.path).toBe("/api/lms/inventory/?page=3&sort_by_watchhistory=true");
    expect(received[0]?.headers.authorization).toBe("t1");
  });

  test.each(["http://konomana.example", ""])(
    "a link to any host (%s) is followed on the API's own origin",
    async (host) => {
      const { received } = await serve(() => ({ body: page }));
      await calls.inventory(1, `${host}/api/lms/inventory/?page=2`);
      expect(received[0]?.path).toBe("/api/lms/inventory/?page=2");
      expect(received[0]?.headers.authorization).toBe("t1");
    },
  );
});

describe("failures", () => {
  test("a problem body becomes an ApiError", async () => {
    await serve(() => problem(400, "INVALID", { errors: [{ field: "email", code: "REQUIRED" }] }));
    const error = await failure(calls.login({ email: "", password: "" }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 400,
      code: "INVALID",
      traceId: "0af7651916cd43dd8448eb211c80319c",
      errors: [{ field: "email", code: "REQUIRED" }],
    });
  });

  test("Retry-After is kept, as a number or as a date", async () => {
    await serve(() => ({ ...problem(429, "RATE_LIMITED"), headers: { "retry-after": "90" } }));
    const credentials = { email: "a@demo.example", password: "p" };
    expect(await failure(calls.login(credentials))).toMatchObject({ retryAfter: 90 });
    await serve(() => ({
      ...problem(429, "RATE_LIMITED"),
      headers: { "retry-after": new Date(Date.now() + 30_000).toUTCString() },
    }));
    const { retryAfter } = await failure(calls.login(credentials));
    expect(retryAfter).toBeGreaterThanOrEqual(29);
    expect(retryAfter).toBeLessThanOrEqual(30);
  });

  test("HTML instead of JSON is an error", async () => {
    await serve(() => ({ body: "<!doctype html>" }));
    expect(await failure(calls.courses())).toMatchObject({ code: "UNKNOWN" });
  });

  test("an unreachable server is an error", async () => {
    connectApi({ baseUrl: "http://127.0.0.1:1" });
    expect(await failure(calls.courses())).toMatchObject({ status: 0, code: "NETWORK" });
  });
});
