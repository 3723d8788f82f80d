import { beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError } from "../errors";
import { calls } from "../testing/calls";
import { problem, serve } from "../testing/apiServer";
import { connectApi } from "./connection";

const session = {
  token: vi.fn<() => Promise<string>>(),
  renew: vi.fn<(refused: string) => Promise<string>>(),
  lost: vi.fn<() => void>(),
};

beforeEach(() => {
  session.token.mockReset().mockResolvedValue("old");
  session.renew.mockReset().mockResolvedValue("new");
  session.lost.mockReset();
  connectApi({ session, cookies: () => null });
});

const refusing = (token: string) =>
  serve(({ headers }) =>
    headers.authorization === `Bearer ${token}`
      ? problem(401, "UNAUTHENTICATED")
      : { body: { id: "u" } },
  );

describe("spec §8: 401: tokens are refreshed and the request retried once", () => {
  test("the newer token is accepted", async () => {
    const { received } = await refusing("old");
    await expect(calls.user()).resolves.toEqual({ id: "u" });
    expect(received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer old",
      "Bearer new",
    ]);
    expect(session.renew).toHaveBeenCalledExactlyOnceWith("old");
    expect(session.lost).not.toHaveBeenCalled();
  });

  test("an unsafe call is retried too, because the server has refused it", async () => {
    const { received } = await serve((_, count) =>
      count === 1 ? problem(401, "UNAUTHENTICATED") : { status: 204 },
    );
    await calls.setCheck(7, true);
    expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "PUT /api/lms/check/7/",
      "PUT /api/lms/check/7/",
    ]);
  });
});

describe("spec §8: if that fails the user is logged out and the error is thrown", () => {
  test("the newer token is refused as well", async () => {
    const { received } = await serve(() => problem(401, "UNAUTHENTICATED"));
    await expect(calls.user()).rejects.toMatchObject({ status: 401, code: "UNAUTHENTICATED" });
    expect(received).toHaveLength(2);
    expect(session.lost).toHaveBeenCalledOnce();
  });

  test("no newer token is available", async () => {
    const over = new Error("Both token and refresh token have expired. Your request was aborted.");
    session.renew.mockRejectedValue(over);
    const { received } = await refusing("old");
    await expect(calls.user()).rejects.toBe(over);
    expect(received).toHaveLength(1);
  });
});

describe("spec §8: 503: the response body is kept as maintenance info", () => {
  const info = {
    title: "定期メンテナンス",
    message: "朝6時までお休みします。",
    starts_at: null,
    ends_at: "2026-11-21T21:00:00Z",
    affected: ["Site"],
  };

  test("the app's hook gets the body, and the call fails", async () => {
    const onMaintenance = vi.fn<(body: unknown) => void>();
    connectApi({ onMaintenance });
    await serve(() => ({ status: 503, body: info }));
    await expect(calls.courses()).rejects.toMatchObject({
      status: 503,
      code: "MAINTENANCE",
      maintenance: info,
    });
    expect(onMaintenance).toHaveBeenCalledExactlyOnceWith(info);
  });

  test("any other body is not maintenance information", async () => {
    const onMaintenance = vi.fn<(body: unknown) => void>();
    connectApi({ onMaintenance });
    await serve(() => ({ status: 503, body: "<h1>503</h1>" }));
    await expect(calls.setCheck(1, true)).rejects.toBeInstanceOf(ApiError);
    expect(onMaintenance).not.toHaveBeenCalled();
  });
});

test("a stale XSRF cookie is renewed for the next call; the refused call is not retried", async () => {
  connectApi({ cookies: () => "XSRF-TOKEN=stale.mac" });
  const { received } = await serve(({ path }) =>
    path === "/api/maintenance/" ? { body: { windows: [] } } : problem(403, "CSRF_FAILED"),
  );
  await expect(calls.setCheck(1, true)).rejects.toMatchObject({ code: "CSRF_FAILED" });
  expect(received.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "PUT /api/lms/check/1/",
    "GET /api/maintenance/",
  ]);
});
