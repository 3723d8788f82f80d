/** A sitting that is opened from this browser's storage while the server can't be reached. */
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ExamServer } from "../sittingTesting";
import { AnswerStore } from "./answerStore";
import { clockMemory } from "./clockMemory";
import { OpenSitting } from "./OpenSitting";
import { connect, DEVICE, deleteAnswers, LEARNER } from "./protocolTesting";
import { sittingApi } from "./sittingApi";
import type { SittingSession } from "./SittingSession";

const HOUR = 3_600_000;
const eventually = { timeout: 10_000 };

/** A page that opens the paper, until `crash`. */
function openPage({ clocks, server }: ReturnType<typeof connect>) {
  const timing = {
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
  };
  const api = { ...sittingApi };
  const parts = { learner: LEARNER, paper: 11, device: DEVICE, api, timing, random: () => 0 };
  const sitting = new OpenSitting(parts);
  const close = sitting.open();
  const session = async (): Promise<SittingSession> => {
    await expect.poll(() => sitting.state.get().kind, eventually).toBe("open");
    const opening = sitting.state.get();
    if (opening.kind !== "open") throw new Error("It is not open.");
    return opening.session;
  };
  /** Ends the page. The next page gets the lock. */
  const crash = async () => {
    const opening = sitting.state.get();
    if (opening.kind === "open") opening.session.stop();
    server.isCut = true;
    close();
    await navigator.locks.request(`konomana.exam.${LEARNER}`, () => {});
  };
  onTestFinished(async () => {
    close();
    await navigator.locks.request(`konomana.exam.${LEARNER}`, () => {});
  });
  return { sitting, session, crash };
}

beforeEach(async () => {
  clockMemory.forget();
  await deleteAnswers();
});

/** Answers one question with the server and one without it, then ends the page without a network. */
async function interrupted() {
  const connected = connect();
  const page = openPage(connected);
  const session = await page.session();
  session.answer(101, { choices: [2] });
  await expect.poll(() => session.state.get().entries.get(101)?.place, eventually).toBe("server");
  connected.server.isCut = true;
  session.answer(104, { text: "鎌倉幕府" });
  await expect.poll(() => session.state.get().entries.get(104)?.place, eventually).toBe("device");
  await page.crash();
  return connected;
}

describe("a reload without the network", () => {
  test("opens the paper with every answer, shows where each is stored, and resumes", async () => {
    const connected = await interrupted();
    const { server } = connected;
    const session = await openPage(connected).session();
    const entry = (id: number) => session.state.get().entries.get(id);
    expect(session.questions).toHaveLength(4);
    expect(entry(101)).toMatchObject({ answer: { choices: [2] }, place: "server" });
    expect(entry(104)).toMatchObject({ answer: { text: "鎌倉幕府" }, place: "device" });
    expect(session.state.get()).toMatchObject({ isConnected: false, unsent: 1, phase: "running" });
    session.answer(103, { number: "7" });
    server.isCut = false;
    await expect.poll(() => session.state.get().unsent, eventually).toBe(0);
    expect(server.answers.get(103)?.answer).toEqual({ number: "7" });
    expect(server.answers.get(104)?.answer).toEqual({ text: "鎌倉幕府" });
    expect(server.answers.get(101)?.answer).toEqual({ choices: [2] });
    expect(session.state.get().isConnected).toBe(true);
  });

  test("detects that the server is reachable again, with nothing to send", async () => {
    const connected = connect();
    const page = openPage(connected);
    await page.session();
    await page.crash();
    const session = await openPage(connected).session();
    expect(session.state.get().isConnected).toBe(false);
    connected.server.isCut = false;
    await expect.poll(() => session.state.get().isConnected, eventually).toBe(true);
  });

  test.each([3 * HOUR, -3 * HOUR])(
    "shows the right clock on a device whose own is off by %d ms",
    async (by) => {
      const connected = connect();
      connected.clocks.wallBy = by;
      const page = openPage(connected);
      await page.session();
      await page.crash();
      const session = await openPage(connected).session();
      const { server } = connected;
      expect(Math.abs(session.left - (server.deadline - server.now))).toBeLessThan(1000);
      expect(session.state.get().phase).toBe("running");
    },
  );

  test("past the deadline, hands in the answers typed before it", async () => {
    const connected = await interrupted();
    const { server, clocks } = connected;
    server.ahead += HOUR;
    clocks.wallBy += HOUR;
    const session = await openPage(connected).session();
    await expect.poll(() => session.state.get().phase, eventually).toBe("asking");
    session.answer(104, { text: "あとから" });
    server.isCut = false;
    await expect.poll(() => session.state.get().phase, eventually).toBe("sealed");
    const answers = session.state.get().transcript?.answers;
    expect(answers?.map(({ answer }) => answer)).toEqual([
      { choices: [2] },
      null,
      null,
      { text: "鎌倉幕府" },
    ]);
  });

  test("stops once it learns that another device has taken over", async () => {
    const connected = await interrupted();
    const session = await openPage(connected).session();
    connected.server.takeOverElsewhere();
    connected.server.isCut = false;
    await expect.poll(() => session.state.get().isTakenOver, eventually).toBe(true);
  });

  test("shows the handed-in answers if another device has handed in", async () => {
    const connected = await interrupted();
    const session = await openPage(connected).session();
    connected.server.seal("candidate");
    connected.server.isCut = false;
    await expect.poll(() => session.state.get().phase, eventually).toBe("sealed");
  });
});

test.each([401, 429, 502, 503])(
  "a server that answers %i opens it from the device too",
  async (status) => {
    const connected = await interrupted();
    const { server } = connected;
    server.isCut = false;
    server.refuses = status;
    const session = await openPage(connected).session();
    expect(session.state.get().entries.get(101)?.answer).toEqual({ choices: [2] });
  },
);

test("a paper that a busy server does not open is opened again without a click", async () => {
  const world = connect();
  world.server.refuses = 504;
  const page = openPage(world);
  await expect.poll(() => page.sitting.state.get().kind, eventually).toBe("failed");
  world.server.refuses = 429;
  await expect
    .poll(() => page.sitting.state.get(), eventually)
    .toMatchObject({
      kind: "failed",
      error: { status: 429 },
    });
  world.server.refuses = null;
  expect((await page.session()).state.get().phase).toBe("running");
});

test("a paper that was not opened here needs the server", async () => {
  const connected = connect(new ExamServer());
  connected.server.isCut = true;
  const { sitting } = openPage(connected);
  await expect.poll(() => sitting.state.get().kind, eventually).toBe("failed");
});

test("after the hand-in no data of the paper is stored", async () => {
  const connected = connect();
  const session = await openPage(connected).session();
  session.answer(101, { choices: [2] });
  await session.handIn();
  const store = new AnswerStore();
  await expect.poll(() => store.findCopy(LEARNER, 11), eventually).toBeNull();
  await store.close();
});

test("a copy whose figures arrive after the hand-in is not stored", async () => {
  const sitting = new ExamServer().sitting(DEVICE);
  const store = new AnswerStore();
  await store.open(LEARNER, sitting);
  await store.replaceCopy(LEARNER, { ...sitting, epoch: 2 });
  expect(await store.findCopy(LEARNER, 11)).toMatchObject({ epoch: 2 });
  await store.clear(LEARNER, sitting.id);
  await store.replaceCopy(LEARNER, sitting);
  expect(await store.findCopy(LEARNER, 11)).toBeNull();
  await store.close();
});
