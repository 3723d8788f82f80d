/** Test support for the session: one browser tab, and a stub server that succeeds by default. */
import { learner } from "@konomana/testing";
import { freshStorage } from "@konomana/testing/storage";
import { connectApi } from "@konomana/http";
import { serve, type Received, type Reply } from "@konomana/http/testing";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, vi } from "vitest";
import { loginReason } from "./loginReason";
import type { User } from "./sessionApi";
import { personalDataIn } from "./personalQueries";
import { startSession } from "./session";
import { sessionEnd, sessionStore } from "./state";
import { TOKENS_KEY } from "./tokenStorage";
import { turnsAreOver } from "./testing";

/** The user that the stub server returns. */
export const user: User = { ...learner, id: "u1" };
/** An empty page of a list. */
export const list = { count: 0, next: null, previous: null, results: [] };

/** The page that is open by default. */
const startPath = "/mypage/course?page=2";

/** Starts each test of the file with empty storage and without a session. */
export function testSession() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const navigate = vi.fn<(path: string) => void>();
  let stop: (() => void) | undefined;

  beforeEach(() => {
    freshStorage();
    queries.clear();
    sessionStore.reset();
    sessionEnd.set(null);
    loginReason.forget();
    navigate.mockReset();
    vi.stubGlobal("addEventListener", vi.fn<typeof addEventListener>());
    vi.stubGlobal("removeEventListener", vi.fn<typeof removeEventListener>());
    connectApi({ cookies: () => null });
  });

  afterEach(async () => {
    stop?.();
    stop = undefined;
    vi.useRealTimers();
    await turnsAreOver();
    vi.unstubAllGlobals();
  });

  const start = (path = startPath) => {
    stop = startSession({
      personal: personalDataIn(queries),
      navigate,
      currentPath: () => path,
      isPrivate: () => path.startsWith("/mypage"),
    });
  };
  return { queries, navigate, start };
}

/** A stub server that succeeds. `exceptions` override the answer of their path. */
export const backEnd = (exceptions: Record<string, (request: Received) => Reply> = {}) =>
  serve((request) => {
    const path = new URL(request.path, "http://api.invalid").pathname;
    const exception = exceptions[path];
    if (exception) return exception(request);
    if (path === "/api/accounts/login/")
      return { body: { access_token: "a1", refresh_token: "r1" } };
    if (path === "/api/accounts/token/refresh/")
      return { body: { access_token: "a2", refresh_token: "r2" } };
    if (path === "/api/accounts/user/") return { body: user };
    if (path === "/api/accounts/logout/") return { status: 204 };
    return { body: list };
  });

/** Simulates the storage event of another tab that changed the tokens, or `key`. */
export function fromAnotherTab(key = TOKENS_KEY): void {
  const listening = vi.mocked(addEventListener).mock.calls.find(([type]) => type === "storage");
  const listener = listening?.[1] as unknown as ((event: { key: string }) => void) | undefined;
  listener?.({ key });
}
