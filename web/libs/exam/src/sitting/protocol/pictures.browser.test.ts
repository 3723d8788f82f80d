import { beforeEach, expect, test } from "vitest";
import { ExamServer, questions, writtenQuestion } from "../sittingTesting";
import { AnswerStore } from "./answerStore";
import { connect, deleteAnswers, LEARNER } from "./protocolTesting";

const eventually = { timeout: 10_000 };

beforeEach(async () => {
  await deleteAnswers();
});

const picture = (content: string) => new Blob([content], { type: "image/png" });

function newServer(): ExamServer {
  const server = new ExamServer();
  server.questions = [...questions, writtenQuestion];
  return server;
}

const refusal = (status: number, code: string) =>
  Response.json({ status, code, trace_id: "t".repeat(32) }, { status });

/** The content of the saved answer's picture. */
async function savedPicture(server: ExamServer): Promise<string | undefined> {
  const answer = server.answers.get(105)?.answer ?? null;
  return answer !== null && "picture" in answer
    ? server.pictures.get(answer.picture)?.text()
    : undefined;
}

test("an upload that hangs or fails delays no other answer, and is tried again", async () => {
  const { server, open } = connect(newServer());
  const { session, entry } = await open();
  const hanging = Promise.withResolvers<Response>();
  server.onPicture = () => hanging.promise;
  await session.answerPicture(105, picture("drawing"));
  session.answer(101, { choices: [1] });
  await expect.poll(() => entry(101)?.place, eventually).toBe("server");
  expect(entry(105)?.place).toBe("device");
  expect(server.answers.has(105)).toBe(false);
  server.onPicture = () => refusal(408, "BODY_TOO_SLOW");
  hanging.resolve(refusal(429, "OVERLOADED"));
  session.answer(101, { choices: [2] });
  await expect.poll(() => server.answers.get(101)?.answer, eventually).toEqual({ choices: [2] });
  expect(entry(105)?.place).toBe("device");
  server.onPicture = null;
  await expect.poll(() => entry(105)?.place, eventually).toBe("server");
  expect(await savedPicture(server)).toBe("drawing");
});

test("the last of several quick pictures is the answer, and a text given meanwhile replaces them", async () => {
  const { server, open } = connect(newServer());
  const { session, entry } = await open();
  const given = ["1", "2", "3"].map((one) => session.answerPicture(105, picture(one)));
  await Promise.all(given);
  await expect.poll(() => savedPicture(server), eventually).toBe("3");
  const late = session.answerPicture(105, picture("4"));
  session.answer(105, { text: "任せたい。" });
  await late;
  await expect.poll(() => entry(105)?.place, eventually).toBe("server");
  expect(server.answers.get(105)?.answer).toEqual({ text: "任せたい。" });
});

test("a refused picture is shown as an answer that can't be saved, and holds nothing back", async () => {
  const { server, open } = connect(newServer());
  const { session, entry } = await open();
  server.onPicture = () => refusal(400, "PICTURE_UNREADABLE");
  await session.answerPicture(105, picture("no picture"));
  await expect.poll(() => entry(105)?.place, eventually).toBe("invalid");
  await session.handIn();
  expect(server.transcript).not.toBeNull();
});

test("a drawing is sent after a pause of the pen, or every 15 s, and at once when the page is left", async () => {
  const { server, clocks, open } = connect(newServer(), { pause: 2000 });
  const { session, entry } = await open();
  const pass = (milliseconds: number) => {
    clocks.steadyBy += milliseconds;
    clocks.wallBy += milliseconds;
  };
  for (let line = 0; line < 10; line++) {
    pass(1400);
    await session.answerPicture(105, picture(`line ${line}`));
    session.answer(101, { choices: [1 + (line % 2)] });
    await expect.poll(() => entry(101)?.place, eventually).toBe("server");
  }
  expect(server.pictures.size).toBe(0);
  pass(1400);
  await session.answerPicture(105, picture("long"));
  pass(1400);
  await expect.poll(() => savedPicture(server), eventually).toBe("long");
  await session.answerPicture(105, picture("pause"));
  pass(2000);
  await expect.poll(() => savedPicture(server), eventually).toBe("pause");
  await session.answerPicture(105, picture("left"));
  globalThis.dispatchEvent(new Event("pagehide"));
  await expect.poll(() => savedPicture(server), eventually).toBe("left");
});

test("a drawing is sent at once when the network is back", async () => {
  const { server, open } = connect(newServer(), { pause: 60_000, retry: 60_000 });
  const { session, entry } = await open();
  globalThis.dispatchEvent(new Event("offline"));
  await session.answerPicture(105, picture("drawing"));
  await expect.poll(() => entry(105)?.place, eventually).toBe("device");
  globalThis.dispatchEvent(new Event("online"));
  await expect.poll(() => savedPicture(server), eventually).toBe("drawing");
  expect(session.state.get().isConnected).toBe(true);
});

test("an earlier drawing that an undo brings back is sent again, because the server may have deleted it", async () => {
  const { server, open } = connect(newServer());
  const { session } = await open();
  for (const one of ["1", "2", "3", "4", "5", "6", "7", "1"]) {
    await session.answerPicture(105, picture(one));
    await expect.poll(() => savedPicture(server), eventually).toBe(one);
  }
});

test("a hand-in waits for the picture, and a later page has nothing of it", async () => {
  const { server, open } = connect(newServer(), { pause: 60_000, longestPause: 60_000 });
  const { session } = await open();
  await session.answerPicture(105, picture("drawing"));
  await session.handIn();
  expect(await savedPicture(server)).toBe("drawing");
  expect(server.transcript).not.toBeNull();
  const answer = server.answers.get(105)?.answer ?? null;
  const name = answer !== null && "picture" in answer ? answer.picture : "";
  const store = new AnswerStore();
  const { id } = server.sitting(null);
  await expect.poll(() => store.findPicture(LEARNER, id, 105, name), eventually).toBeNull();
  await store.close();
});

test("a crash between a picture and its answer loses neither the picture nor the answer before it", async () => {
  const { server, open } = connect(newServer());
  const first = await open();
  server.isCut = true;
  await first.session.answerPicture(105, picture("first"));
  await expect.poll(() => first.entry(105)?.place, eventually).toBe("device");
  // The second picture is on the device, and the page ends before its answer is.
  first.store.put = () => new Promise(() => {});
  await first.session.answerPicture(105, picture("second"));
  first.crash();
  server.isCut = false;
  const second = await open();
  await expect.poll(() => second.entry(105)?.place, eventually).toBe("server");
  expect(await savedPicture(server)).toBe("first");
});
