import { beforeEach, describe, expect, test } from "vitest";
import { connect, deleteAnswers } from "./protocolTesting";

const eventually = { timeout: 10_000 };

beforeEach(async () => {
  await deleteAnswers();
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

test("many answers go in calls of a hundred, each with the number of those that still wait", async () => {
  const { server, open } = connect();
  const { session } = await open();
  for (let question = 1; question <= 250; question += 1) session.flag(question, true);
  await expect.poll(() => session.state.get().unsent, eventually).toBe(0);
  const sent = server.saves.map(({ answers, pending }) => ({ answers: answers.length, pending }));
  expect(sent).toEqual([
    { answers: 100, pending: 150 },
    { answers: 100, pending: 50 },
    { answers: 50, pending: 0 },
  ]);
  expect(server.answers.size).toBe(250);
});

test("a page that is left sends its answers beside the call that is running", async () => {
  const { server, open } = connect();
  const { session } = await open();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.gate = promise;
  session.answer(101, { choices: [2] });
  await expect.poll(() => server.saves.length, eventually).toBe(1);
  session.answer(103, { number: "7" });
  globalThis.dispatchEvent(new Event("pagehide"));
  await expect.poll(() => server.saves.length, eventually).toBe(2);
  expect(server.saves[1]?.answers.map(({ question_id }) => question_id)).toEqual([101, 103]);
  resolve();
  await expect.poll(() => session.state.get().unsent, eventually).toBe(0);
  expect(server.answers.get(103)).toMatchObject({ answer: { number: "7" }, sequence: 1 });
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
