import { beforeEach, describe, expect, test, vi } from "vitest";
import { ExamServer, questions } from "../sittingTesting";
import { AnswerStore } from "./answerStore";
import { connect, deleteAnswers } from "./protocolTesting";

const HOUR = 3_600_000;
const eventually = { timeout: 10_000 };

const refuse = () => Promise.reject(new DOMException("refused", "SecurityError"));

beforeEach(async () => {
  await deleteAnswers();
});

test("an answer is stored on the device at once, sent to the server soon, then marked as acknowledged", async () => {
  const { server, open, stored } = connect();
  const { promise, resolve } = Promise.withResolvers<void>();
  const { session, entry } = await open();
  await expect.poll(() => server.saves.length, eventually).toBe(0);
  server.gate = promise;
  session.answer(101, { choices: [2] });
  expect(entry(101)).toMatchObject({ answer: { choices: [2] }, place: "writing" });
  await expect.poll(() => entry(101)?.place, eventually).toBe("device");
  expect(await stored()).toMatchObject([{ question_id: 101, sequence: 1 }]);
  resolve();
  await expect.poll(() => entry(101)?.place, eventually).toBe("server");
  expect(server.answers.get(101)).toMatchObject({ answer: { choices: [2] }, sequence: 1 });
  await expect.poll(stored, eventually).toEqual([]);
  expect(session.state.get().unsent).toBe(0);
});

test("every write waits for the disk", async () => {
  const { open } = connect();
  const transaction = vi.spyOn(IDBDatabase.prototype, "transaction");
  const { session, entry } = await open();
  session.answer(101, { choices: [2] });
  await expect.poll(() => entry(101)?.place, eventually).toBe("server");
  const options = transaction.mock.calls.map((given) => given[2]);
  expect(options.length).toBeGreaterThan(1);
  for (const one of options) expect(one).toEqual({ durability: "strict" });
  transaction.mockRestore();
});

test("an answer that changes while it is sent stays until its own sequence is acknowledged", async () => {
  const { server, open, stored } = connect();
  const { session, entry } = await open();
  const first = Promise.withResolvers<void>();
  server.gate = first.promise;
  session.answer(104, { text: "鎌倉" });
  await expect.poll(() => server.saves.length, eventually).toBe(1);
  const second = Promise.withResolvers<void>();
  session.answer(104, { text: "鎌倉幕府" });
  server.gate = second.promise;
  first.resolve();
  await expect.poll(() => server.saves.length, eventually).toBe(2);
  expect(server.answers.get(104)?.answer).toEqual({ text: "鎌倉" });
  expect(entry(104)?.place).not.toBe("server");
  expect(await stored()).toMatchObject([{ sequence: 2, answer: { text: "鎌倉幕府" } }]);
  second.resolve();
  await expect.poll(() => entry(104)?.place, eventually).toBe("server");
  expect(server.answers.get(104)?.answer).toEqual({ text: "鎌倉幕府" });
});

describe("nothing is lost", () => {
  test("when the network is cut: the state shows it, and answers given meanwhile arrive", async () => {
    const { server, open } = connect();
    const { session, entry } = await open();
    server.isCut = true;
    session.answer(101, { choices: [1] });
    session.answer(103, { number: "1/2" });
    await expect.poll(() => session.state.get().isConnected, eventually).toBe(false);
    session.flag(101, true);
    await expect.poll(() => entry(103)?.place, eventually).toBe("device");
    server.isCut = false;
    await expect.poll(() => session.state.get().unsent, eventually).toBe(0);
    expect(session.state.get().isConnected).toBe(true);
    expect(server.answers.get(101)).toMatchObject({ answer: { choices: [1] }, is_flagged: true });
    expect(server.answers.get(103)).toMatchObject({ answer: { number: "1/2" } });
  });

  test("when replies are lost: the same answers are sent and acknowledged again", async () => {
    const { server, open, stored } = connect();
    const { session } = await open();
    server.replies = "lost";
    session.answer(101, { choices: [3] });
    await expect.poll(() => server.saves.length, eventually).toBeGreaterThan(1);
    expect(await stored()).toHaveLength(1);
    server.replies = "arrive";
    await expect.poll(() => session.state.get().unsent, eventually).toBe(0);
    expect(server.answers.get(101)).toMatchObject({ answer: { choices: [3] }, sequence: 1 });
  });

  test("after a crash with a failed save: all answers arrive without any action", async () => {
    const { server, open } = connect();
    const before = await open();
    server.isCut = true;
    before.session.answer(104, { text: "室町幕府" });
    before.session.flag(102, true);
    await expect.poll(() => before.entry(102)?.place, eventually).toBe("device");
    await expect.poll(() => before.entry(104)?.place, eventually).toBe("device");
    before.crash();
    server.isCut = false;
    const after = await open();
    expect(after.entry(104)?.answer).toEqual({ text: "室町幕府" });
    await expect.poll(() => after.session.state.get().unsent, eventually).toBe(0);
    expect(server.answers.get(104)?.answer).toEqual({ text: "室町幕府" });
    expect(server.answers.get(102)?.is_flagged).toBe(true);
  });

  test("when the login has ended: the answers stay on the device", async () => {
    const { server, open, stored } = connect();
    const { session, crash } = await open();
    server.onSave = () => Response.json({ status: 401, code: "UNAUTHENTICATED" }, { status: 401 });
    session.answer(101, { choices: [1] });
    await expect.poll(() => session.state.get().failure?.status, eventually).toBe(401);
    crash();
    expect(await stored()).toHaveLength(1);
  });

  test("during a maintenance that says to come back in an hour: the save is tried again soon", async () => {
    const { server, open } = connect();
    const { session, entry } = await open();
    const info = {
      title: "メンテナンス",
      message: "",
      starts_at: null,
      ends_at: null,
      affected: [],
    };
    server.onSave = () => Response.json(info, { status: 503, headers: { "retry-after": "3600" } });
    session.answer(101, { choices: [1] });
    await expect.poll(() => server.saves.length, eventually).toBe(1);
    expect(entry(101)?.place).toBe("device");
    expect(session.state.get()).toMatchObject({ isConnected: false, unsent: 1 });
    server.onSave = null;
    await expect.poll(() => session.state.get().unsent, eventually).toBe(0);
  });

  test("when the server is busy: the save waits, and arrives", async () => {
    const { server, open } = connect();
    const { session } = await open();
    server.onSave = () => Response.json({ status: 429, code: "OVERLOADED" }, { status: 429 });
    session.answer(101, { choices: [1] });
    await expect.poll(() => server.saves.length, eventually).toBeGreaterThan(1);
    server.onSave = null;
    await expect.poll(() => session.state.get().unsent, eventually).toBe(0);
    expect(session.state.get()).toMatchObject({ isConnected: true, failure: null });
  });
});

describe("another device", () => {
  test("that takes over stops this one; after taking back, answers that the other did not change arrive", async () => {
    const { server, open } = connect();
    const { session, entry } = await open();
    server.isCut = true;
    session.answer(101, { choices: [1] });
    session.answer(103, { number: "2" });
    await expect.poll(() => entry(103)?.place, eventually).toBe("device");
    server.takeOverElsewhere();
    server.answers.set(101, {
      question_id: 101,
      epoch: 2,
      sequence: 1,
      answer: { choices: [3] },
      is_flagged: false,
      saved_at: new Date().toISOString(),
      digest: "d0".repeat(32),
    });
    server.isCut = false;
    await expect.poll(() => session.state.get().isTakenOver, eventually).toBe(true);
    session.answer(104, { text: "これは書けない" });
    expect(entry(104)?.answer ?? null).toBeNull();

    await session.takeOver();
    expect(session.state.get().isTakenOver).toBe(false);
    await expect.poll(() => session.state.get().unsent, eventually).toBe(0);
    expect(entry(101)).toMatchObject({ answer: { choices: [3] }, place: "replaced" });
    expect(server.answers.get(103)?.answer).toEqual({ number: "2" });
    session.answer(101, { choices: [2] });
    await expect.poll(() => server.answers.get(101)?.answer, eventually).toEqual({ choices: [2] });
  });

  test("that has handed in: an edit shows the handed-in answers", async () => {
    const { server, open } = connect();
    const { session } = await open();
    const transcript = server.seal("candidate");
    session.answer(101, { choices: [1] });
    await expect.poll(() => session.state.get().phase, eventually).toBe("sealed");
    expect(session.state.get().transcript?.digest).toBe(transcript.digest);
  });
});

describe("the device's storage", () => {
  test("refuses: the state shows it, and the answers still go to the server", async () => {
    const { server, open } = connect();
    const store = new AnswerStore();
    vi.spyOn(store, "open").mockImplementation(refuse);
    vi.spyOn(store, "put").mockImplementation(refuse);
    const { session, entry } = await open(store);
    expect(session.state.get().storage).toBe("refused");
    const { promise, resolve } = Promise.withResolvers<void>();
    server.gate = promise;
    session.answer(101, { choices: [2] });
    await expect.poll(() => entry(101)?.place, eventually).toBe("page");
    resolve();
    await expect.poll(() => entry(101)?.place, eventually).toBe("server");
  });

  test("was cleared by hand: the state shows it, and the server's answers are used", async () => {
    const { open } = connect();
    const before = await open();
    before.session.answer(101, { choices: [2] });
    await expect.poll(() => before.entry(101)?.place, eventually).toBe("server");
    before.crash();
    await before.store.close();
    await deleteAnswers();
    const { session, entry } = await open();
    expect(session.state.get().storage).toBe("cleared");
    expect(entry(101)).toMatchObject({ answer: { choices: [2] }, place: "server" });
  });

  test("is cleared while the page is open: unsent answers are stored again", async () => {
    const { server, open, stored } = connect();
    const { session, entry } = await open();
    server.isCut = true;
    session.answer(101, { choices: [2] });
    await expect.poll(() => entry(101)?.place, eventually).toBe("device");
    await deleteAnswers();
    await expect.poll(() => session.state.get().storage, eventually).toBe("cleared");
    await expect.poll(stored, eventually).toHaveLength(1);
  });
});

describe("the time", () => {
  test.each([3 * HOUR, -3 * HOUR])(
    "is right to a second where the device's clock is wrong by %d ms",
    async (by) => {
      const { server, clocks, open } = connect();
      const { session } = await open();
      const left = () => Math.abs(session.left - (server.deadline - server.now));
      expect(left()).toBeLessThan(1000);
      clocks.wallBy = by;
      await expect.poll(() => session.clock.hasJumped, eventually).toBe(false);
      expect(left()).toBeLessThan(1000);
      expect(session.state.get().phase).toBe("running");
      session.answer(101, { choices: [1] });
      await expect.poll(() => server.answers.size, eventually).toBe(1);
    },
  );

  test("that seems to be over ends nothing: later answers count if the server still accepts them", async () => {
    const { server, clocks, open } = connect();
    const { session, entry } = await open();
    server.isCut = true;
    clocks.wallBy = 3 * HOUR;
    session.answer(101, { choices: [1] });
    expect(session.state.get().phase).toBe("asking");
    server.isCut = false;
    await expect.poll(() => session.state.get().phase, eventually).toBe("running");
    await expect.poll(() => entry(101)?.place, eventually).toBe("server");
  });

  test("is over: earlier answers are sent with their timestamps and handed in", async () => {
    const { server, clocks, open } = connect();
    const { session, entry } = await open();
    server.isCut = true;
    session.answer(104, { text: "江戸幕府" });
    await expect.poll(() => entry(104)?.place, eventually).toBe("device");
    // The laptop sleeps past the deadline.
    server.ahead += HOUR;
    clocks.wallBy += HOUR;
    await expect.poll(() => session.state.get().phase, eventually).toBe("asking");
    session.answer(104, { text: "あとから" });
    server.isCut = false;
    await expect.poll(() => session.state.get().phase, eventually).toBe("sealed");
    const { transcript } = session.state.get();
    expect(transcript).toMatchObject({ sealed_by: "deadline" });
    expect(transcript?.answers.find(({ question_id }) => question_id === 104)?.answer).toEqual({
      text: "江戸幕府",
    });
  });

  test("is over with nothing to send: the paper is handed in without any action", async () => {
    const server = new ExamServer();
    const { open } = connect(server);
    const { session } = await open();
    server.minutes = 0;
    await session.synchronize();
    await expect.poll(() => session.state.get().phase, eventually).toBe("sealed");
    expect(session.state.get().transcript?.answers).toHaveLength(questions.length);
  });

  test("was over for an answer that the server counts as late", async () => {
    const { server, open } = connect();
    const { session, entry } = await open();
    session.answer(101, { choices: [1] });
    await expect.poll(() => entry(101)?.place, eventually).toBe("server");
    server.onSave = ({ answers }) =>
      answers.length === 0
        ? null
        : Response.json({
            now: new Date(server.now).toISOString(),
            deadline_at: new Date(server.deadline).toISOString(),
            state: "running",
            acks: [],
            refused: answers.map(({ question_id, sequence }) => ({
              question_id,
              sequence,
              code: "LATE",
            })),
          });
    session.answer(101, { choices: [3] });
    await expect.poll(() => entry(101)?.place, eventually).toBe("late");
    expect(entry(101)?.answer).toEqual({ choices: [1] });
  });
});

describe("handing in", () => {
  test("sends pending answers first", async () => {
    const { server, open } = connect();
    const { session } = await open();
    session.answer(103, { number: "0.5" });
    await session.handIn();
    expect(session.state.get().phase).toBe("sealed");
    expect(server.transcript?.answers[2]?.answer).toEqual({ number: "0.5" });
  });

  test("fails while an answer can't be sent, and nothing is handed in", async () => {
    const { server, open } = connect();
    const { session } = await open();
    server.isCut = true;
    session.answer(103, { number: "0.5" });
    await expect(session.handIn()).rejects.toMatchObject({ code: "NETWORK" });
    expect(session.state.get().phase).toBe("running");
    server.isCut = false;
    await session.handIn();
    expect(server.transcript?.answers[2]?.answer).toEqual({ number: "0.5" });
  });
});
