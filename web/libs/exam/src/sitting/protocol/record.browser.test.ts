/** What a session reports of the screen, with a real page and a model of the server. */
import { beforeEach, expect, test } from "vitest";
import { ExamServer } from "../sittingTesting";
import { connect, deleteAnswers } from "./protocolTesting";

const eventually = { timeout: 10_000 };

beforeEach(async () => {
  await deleteAnswers();
});

test("time on questions and out of focus reaches the server with a save, and again after a reload", async () => {
  const { server, clocks, open } = connect();
  const first = await open();
  first.session.show(101);
  clocks.steadyBy += 20_000;
  globalThis.dispatchEvent(new Event("blur"));
  clocks.steadyBy += 8000;
  globalThis.dispatchEvent(new Event("focus"));
  expect(Math.floor(first.session.awaySeconds)).toBe(8);
  first.session.answer(101, { choices: [2] });
  await expect.poll(() => server.times.get(101), eventually).toBe(20);
  expect(server.awaySeconds).toBe(8);
  first.crash();

  const second = await open();
  second.session.show(101);
  clocks.steadyBy += 15_000;
  second.session.answer(101, { choices: [3] });
  await expect.poll(() => server.times.get(101), eventually).toBe(35);
  expect(Math.floor(second.session.awaySeconds)).toBe(8);
});

test("times of questions go with few saves, and the rest with the hand-in", async () => {
  const { server, clocks, open } = connect();
  const { session, entry } = await open();
  session.show(101);
  clocks.steadyBy += 5000;
  session.answer(101, { choices: [2] });
  await expect.poll(() => entry(101)?.place, eventually).toBe("server");
  expect(server.saves.at(-1)?.question_times).toEqual([]);
  await session.handIn();
  expect(server.times.get(101)).toBe(5);
  expect(server.transcript?.sealed_by).toBe("candidate");
});

test("a hidden page reports its times although no answer waits", async () => {
  const { server, clocks, open } = connect();
  const { session } = await open();
  session.show(102);
  clocks.steadyBy += 3000;
  globalThis.dispatchEvent(new Event("pagehide"));
  await expect.poll(() => server.times.get(102), eventually).toBe(3);
});

test("a device that was taken over does not add its absence to the sitting", async () => {
  const server = new ExamServer();
  const { clocks, open } = connect(server);
  const { session } = await open();
  server.takeOverElsewhere();
  globalThis.dispatchEvent(new Event("blur"));
  clocks.steadyBy += 600_000;
  globalThis.dispatchEvent(new Event("focus"));
  await session.synchronize();
  expect(session.state.get().isTakenOver).toBe(true);
  await session.takeOver();
  expect(Math.floor(session.awaySeconds)).toBe(0);
});
