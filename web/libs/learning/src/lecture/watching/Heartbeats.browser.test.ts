import { ApiError, type ErrorCode } from "@konomana/http";
import type { Heartbeat, WatchProgress } from "../../api";
import { beforeEach, expect, test, vi } from "vitest";
import { Heartbeats } from "./Heartbeats";

const answer: WatchProgress = {
  position: 0,
  furthest: 0,
  covered: 0,
  is_check: false,
  is_done: false,
};
const send = vi.fn<(lesson: number, heartbeat: Heartbeat) => Promise<WatchProgress>>();

const offline = () => new ApiError({ status: 0, code: "NETWORK", traceId: "" });
const refusal = (status: number, code: ErrorCode) => new ApiError({ status, code, traceId: "" });

const open = ({ owner = "aoi", tab = "tab-1", now = (): number => 1000 } = {}) =>
  new Heartbeats({ send, owner, tab, now });

const watched = (from: number, to: number, stream: string | null = "s1") => ({
  position: to + 0.9,
  watched: [[from, to]] as [number, number][],
  stream,
});

const sent = () => send.mock.calls.map(([lesson, heartbeat]) => ({ lesson, ...heartbeat }));

beforeEach(() => {
  localStorage.clear();
  send.mockReset().mockResolvedValue(answer);
});

test("a heartbeat is sent in whole seconds, and removed after its acknowledgement", async () => {
  const heartbeats = open();
  heartbeats.add(7, watched(0, 15));
  expect(localStorage.length).toBe(1);
  await heartbeats.flush();
  expect(sent()).toEqual([
    { lesson: 7, sequence: 1000, position: 16, watched: [[0, 15]], stream: "s1" },
  ]);
  expect(localStorage.length).toBe(0);
});

test("sequence numbers grow even if the clock stops or goes back", async () => {
  let now = 5000;
  const heartbeats = open({ now: () => now });
  for (const next of [5000, 5000, 4000]) {
    now = next;
    heartbeats.add(7, watched(0, 1));
    await heartbeats.flush();
  }
  expect(sent().map(({ sequence }) => sequence)).toEqual([5000, 5001, 5002]);
});

test("heartbeats are sent one at a time", async () => {
  const first = Promise.withResolvers<WatchProgress>();
  send.mockReturnValueOnce(first.promise);
  const heartbeats = open();
  heartbeats.add(7, watched(0, 15));
  const flushed = heartbeats.flush();
  heartbeats.add(7, watched(15, 30));
  void heartbeats.flush();
  expect(send).toHaveBeenCalledTimes(1);
  first.resolve(answer);
  await flushed;
  expect(sent().map((heartbeat) => heartbeat.watched)).toEqual([[[0, 15]], [[15, 30]]]);
});

test("unsent heartbeats are merged, but not with one that the server may have", async () => {
  send.mockRejectedValueOnce(offline());
  const heartbeats = open();
  heartbeats.add(7, watched(0, 15));
  await heartbeats.flush();
  heartbeats.add(7, watched(15, 30));
  heartbeats.add(7, watched(30, 45));
  expect(heartbeats.positionOf(7)).toBe(46);
  await heartbeats.flush();
  const [lost, again, rest] = sent();
  expect(again).toEqual(lost);
  expect(rest).toMatchObject({ position: 46, watched: [[15, 45]] });
  expect(send).toHaveBeenCalledTimes(3);
  expect(localStorage.length).toBe(0);
});

test("heartbeats of several lessons are sent in the order of watching", async () => {
  send.mockRejectedValueOnce(offline());
  const heartbeats = open();
  heartbeats.add(7, watched(0, 15));
  await heartbeats.flush();
  heartbeats.add(8, watched(0, 15));
  heartbeats.add(7, watched(15, 20));
  await heartbeats.flush();
  expect(sent().map(({ lesson }) => lesson)).toEqual([7, 7, 8, 7]);
  const sequences = sent().map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
});

test("another tab of the same user sends what a closed tab left, another user's tab does not", async () => {
  send.mockRejectedValueOnce(offline());
  const closed = open();
  closed.add(7, watched(0, 15));
  await closed.flush();

  await open({ owner: "ren" }).flush();
  expect(send).toHaveBeenCalledTimes(1);

  const next = open({ tab: "tab-2" });
  expect(next.positionOf(7)).toBe(16);
  await next.flush();
  expect(sent().at(-1)).toMatchObject({ lesson: 7, watched: [[0, 15]] });
  expect(localStorage.length).toBe(0);
});

test("more intervals than a heartbeat may have become several heartbeats", async () => {
  const heartbeats = open();
  const many = Array.from({ length: 45 }, (_, i): [number, number] => [i * 10, i * 10 + 5]);
  heartbeats.add(7, { position: 445, watched: many, stream: null });
  await heartbeats.flush();
  expect(sent().map((heartbeat) => heartbeat.watched.length)).toEqual([20, 20, 5]);
});

test("a refused heartbeat is not sent again, and is reported", async () => {
  const told =
    vi.fn<(lesson: number, answer: WatchProgress | ApiError, stream: string | null) => void>();
  send.mockRejectedValueOnce(refusal(403, "EXPIRED_ITEM"));
  const heartbeats = open();
  heartbeats.listen(told);
  heartbeats.add(7, watched(0, 15));
  await heartbeats.flush();
  await heartbeats.flush();
  expect(send).toHaveBeenCalledTimes(1);
  expect(told).toHaveBeenCalledWith(7, expect.objectContaining({ code: "EXPIRED_ITEM" }), "s1");
});

test("a heartbeat of an ended stream is sent again without its stream", async () => {
  send.mockRejectedValueOnce(refusal(409, "STREAM_ENDED"));
  const heartbeats = open();
  heartbeats.add(7, watched(0, 15));
  await heartbeats.flush();
  expect(sent().map(({ stream }) => stream)).toEqual(["s1", null]);
});

test("leaving the page sends all heartbeats at once without a stream, also the unacknowledged one", async () => {
  send.mockReturnValueOnce(new Promise(() => {}));
  const heartbeats = open();
  heartbeats.add(7, watched(0, 15));
  void heartbeats.flush();
  heartbeats.add(7, watched(15, 20));
  heartbeats.leave();
  const [first, again, second] = sent();
  expect(again).toEqual({ ...first, stream: null });
  expect(second).toMatchObject({ watched: [[15, 20]], stream: null });
  await vi.waitFor(() => expect(localStorage.length).toBe(0));
});

test("a heartbeat that fails while leaving is sent by the next page", async () => {
  send.mockRejectedValueOnce(offline());
  const heartbeats = open();
  heartbeats.add(7, watched(0, 15));
  heartbeats.leave();
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
  await open({ tab: "tab-2" }).flush();
  expect(sent()[1]).toEqual({ ...sent()[0], stream: null });
  expect(localStorage.length).toBe(0);
});
