import { connectApi } from "@konomana/http";
import { sessionStore } from "@konomana/session";
import { learner, problem, stubServer } from "@konomana/testing";
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test } from "vitest";
import { ExamServer } from "../sittingTesting";
import { runningSheetQuery, sheetCopy } from "./sheetCopy";

const server = new ExamServer();

beforeEach(() => {
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => null,
  });
  sessionStore.signIn(learner);
  sheetCopy.keep(learner.id, server.sheet);
});

/** The papers of an exam's sheet when the server answers `status`, or the status of the error. */
async function find(exam: number, status: number): Promise<unknown> {
  stubServer(() => problem(status, "UNKNOWN"));
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return queries.fetchQuery(runningSheetQuery(exam)).then(
    ({ papers }) => papers,
    (error: { status: number }) => error.status,
  );
}

test.each([401, 429, 502, 503])("a server that answers %i leaves the copy", async (status) => {
  expect(await find(1, status)).toEqual(server.sheet.papers);
});

test("no copy is used for another exam or when the server refuses", async () => {
  expect(await find(2, 503)).toBe(503);
  expect(await find(1, 404)).toBe(404);
});

test("another learner on the same device does not get it", async () => {
  sessionStore.signIn({ ...learner, id: "018f0000-0000-7000-8000-0000000000ff" });
  expect(await find(1, 503)).toBe(503);
});
