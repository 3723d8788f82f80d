import { beforeEach, describe, expect, test } from "vitest";
import { ExamServer, questions } from "../sittingTesting";
import { connect, deleteAnswers } from "./protocolTesting";

const HOUR = 3_600_000;
const eventually = { timeout: 10_000 };

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
