import { beforeEach, describe, expect, test, vi } from "vitest";
import { AnswerStore } from "./answerStore";
import { connect, deleteAnswers } from "./protocolTesting";

const eventually = { timeout: 10_000 };

const refuse = () => Promise.reject(new DOMException("refused", "SecurityError"));

beforeEach(async () => {
  await deleteAnswers();
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
