/** Test support for the session: one browser tab, and a stub server that succeeds by default. */
import { learner } from "@konomana/testing";
import { freshStorage } from "@konomana/testing/storage";
import { connectApi } from "@konomana/http";
import { problem, serve, type Received, type Reply } from "@konomana/http/testing";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { loginReason } from "./loginReason";
import { personalDataIn } from "./personalQueries";
import { runningExam } from "./runningExam";
import { sessionApi, type User } from "./sessionApi";
import { ensureUser } from "./signedInUser";
import { startSession } from "./startSession";
import { sessionEnd, sessionStore } from "./state";
import { keepTokens, awaitRefreshLock } from "./testing";
import { TOKENS_KEY } from "./tokenStorage";

/** The user that the stub server returns. */
export const user: User = { ...learner, id: "u1" };
/** An empty page of a list. */
export const list = { count: 0, next: null, previous: null, results: [] };

/** A screen of the exam 1. */
export const EXAM = "/mypage/mockexam/1/exam?paper=103&question=2";

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
    await awaitRefreshLock();
    vi.unstubAllGlobals();
  });

  const start = (path = startPath) => {
    stop = startSession({
      personal: personalDataIn(queries),
      navigate,
      currentPath: () => path,
      isPrivate: () => path.startsWith("/mypage"),
    });
    return stop;
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

/** Paths of requests, without their queries. */
export const pathsOf = (received: Received[]) => received.map(({ path }) => path.split("?")[0]);

/**
 * The server ends the session while the running exam is open. The returned function answers a login
 * of the same or another person.
 */
export async function endDuringExam(start: (path: string) => void) {
  let person: User | null = user;
  const signIn = (newPerson: User = user) => {
    person = newPerson;
    return { body: { access_token: "a9", refresh_token: "r9" } };
  };
  await backEnd({
    "/api/accounts/token/refresh/": () => problem(401, "UNAUTHENTICATED"),
    "/api/accounts/user/": () =>
      person === null ? problem(401, "UNAUTHENTICATED") : { status: 200, body: person },
    "/api/accounts/login/": () => signIn(),
  });
  keepTokens();
  runningExam.keep(1, user);
  start(EXAM);
  await ensureUser();
  person = null;
  await expect(sessionApi.user()).rejects.toMatchObject({ status: 401 });
  return signIn;
}

/** Simulates the storage event of another tab that changed the tokens, or `key`. */
export function fromAnotherTab(key = TOKENS_KEY): void {
  const listening = vi.mocked(addEventListener).mock.calls.find(([type]) => type === "storage");
  const listener = listening?.[1] as unknown as ((event: { key: string }) => void) | undefined;
  listener?.({ key });
}
