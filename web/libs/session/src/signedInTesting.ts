/** Test support for screens: a signed-in user, and a stub server. */
import { connectApi } from "@konomana/http";
import { answerFrom, type Answers, learner, stubServer } from "@konomana/testing";
import { QueryClient } from "@tanstack/react-query";
import { onTestFinished } from "vitest";
import { personalDataIn } from "./personalQueries";
import type { User } from "./sessionApi";
import { startSession } from "./startSession";
import { sessionStore } from "./state";

/**
 * Signs `user` in at `address` until the test ends. A call without an answer answers 404. `calls`
 * lists the received calls.
 */
export function signInAt(address: string, answers: Answers, user: User = learner) {
  const calls = stubServer((call) => answerFrom(answers, call));
  connectApi({ cookies: () => "XSRF-TOKEN=n.m" });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const stop = startSession({
    personal: personalDataIn(queries),
    navigate: () => undefined,
    currentPath: () => address,
    isPrivate: () => true,
  });
  connectApi({ session: { token: async () => "t", renew: async () => "t", lost: () => {} } });
  sessionStore.signIn(user);
  onTestFinished(() => {
    stop();
    localStorage.clear();
    sessionStorage.clear();
    sessionStore.reset();
  });
  return { calls, queries };
}
