/** Test support: a session with a real database, a model of the server, and adjustable clocks. */
import { stubServer } from "@konomana/testing";
import { connectApi } from "@konomana/http";
import { onTestFinished } from "vitest";
import { ExamServer } from "../sittingTesting";
import { AnswerStore } from "./answerStore";
import { ServerClock } from "./ServerClock";
import { sittingApi } from "./sittingApi";
import { SittingSession } from "./SittingSession";
import type { Timing } from "./timing";

export const LEARNER = "018f0000-0000-7000-8000-000000000001";
export const DEVICE = "018f0000-0000-7000-8000-0000000000cc";

/** Clocks that a test can set and stop. */
export class TestClocks {
  steadyBy = 0;
  wallBy = 0;
  readonly steady = () => performance.now() + this.steadyBy;
  readonly wall = () => Date.now() + this.wallBy;
}

export function deleteAnswers(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase("konomana.exam");
    request.addEventListener("success", () => resolve());
    request.addEventListener("error", () => reject(request.error as Error));
  });
}

/** Connects a model server and returns a function that opens a session like a page does. */
export function connect(server = new ExamServer(), changed: Partial<Timing> = {}) {
  stubServer(server.answer);
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => "XSRF-TOKEN=n.m",
  });
  const clocks = new TestClocks();
  const timing: Timing = {
    save: 5,
    pause: 5,
    longestPause: 15_000,
    retry: 60,
    reopen: 60,
    longestRetry: 200,
    tick: 20,
    report: 15_000,
    askWithin: 0,
    clocks,
    ...changed,
  };

  const open = async (store = new AnswerStore(), device = DEVICE) => {
    const clock = new ServerClock(clocks);
    const sentAt = clocks.steady();
    const sitting = await sittingApi.start(11, device, new Date(clocks.wall()).toISOString());
    clock.sync(Date.parse(sitting.now), sentAt);
    const session = new SittingSession(
      {
        api: sittingApi,
        store,
        clock,
        timing,
        learner: LEARNER,
        device,
        random: () => 0,
        isCopy: false,
      },
      sitting,
    );
    await session.restore(false);
    session.start();
    let isOpen = true;
    /** The page ends without any cleanup, e.g. by a crash. */
    const crash = () => {
      if (!isOpen) return;
      isOpen = false;
      session.stop();
    };
    onTestFinished(async () => {
      crash();
      await store.close();
    });
    return { session, store, crash, entry: (id: number) => session.state.get().entries.get(id) };
  };
  return { server, clocks, open, stored: () => storedAnswers(server) };
}

/** The unacknowledged answers in the device's database. */
async function storedAnswers(server: ExamServer) {
  const store = new AnswerStore();
  const { rows } = await store.open(LEARNER, server.sitting(DEVICE));
  await store.close();
  return rows.filter((row) => row.is_acknowledged !== true);
}
