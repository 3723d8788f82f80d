import { expect, test } from "vitest";
import { mergeIntervals, WatchedIntervals } from "./WatchedIntervals";

/** Plays from one second to another at a speed, looking four times a second. */
function play(intervals: WatchedIntervals, from: number, to: number, { speed = 1, at = 0 } = {}) {
  for (let time = from; time <= to; time += 0.25 * speed)
    intervals.moveTo(time, at + ((time - from) / speed) * 1000, speed);
}

test("what plays without a break is one interval", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 3, 18.5);
  expect(intervals.take()).toEqual([[3, 18]]);
});

test.each([0.5, 1.5, 3])("at a speed of %d it is the same", (speed) => {
  const intervals = new WatchedIntervals();
  play(intervals, 0, 30, { speed });
  expect(intervals.take()).toEqual([[0, 30]]);
});

test("what follows a hand-over leaves no second out", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 0, 15.25);
  expect(intervals.take()).toEqual([[0, 15]]);
  play(intervals, 15.5, 30, { at: 15_500 });
  expect(intervals.take()).toEqual([[15, 30]]);
  expect(intervals.take()).toEqual([]);
});

test("what is skipped is not watched, though the player says nothing of a leap", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 0, 10);
  play(intervals, 400, 410, { at: 10_250 });
  expect(intervals.take()).toEqual([
    [0, 10],
    [400, 410],
  ]);
});

test("a short leap that the player tells of is not watched either", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 0, 10);
  intervals.stop();
  play(intervals, 11, 15, { at: 10_100 });
  expect(intervals.take()).toEqual([
    [0, 10],
    [11, 15],
  ]);
});

test("leaping back and watching the same again names it once", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 10, 20);
  intervals.stop();
  play(intervals, 5, 15, { at: 10_000 });
  expect(intervals.take()).toEqual([[5, 20]]);
});

test("a computer that slept did not watch, and one whose tab was slowed down did", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 0, 10);
  intervals.moveTo(13, 13_000, 1);
  intervals.moveTo(13.25, 3_600_000, 1);
  expect(intervals.take()).toEqual([[0, 13]]);
});

test("parts that touch become one, empty ones are left out", () => {
  expect(
    mergeIntervals([
      [20, 30],
      [0, 5],
      [5, 10],
      [7, 7],
      [28, 40],
    ]),
  ).toEqual([
    [0, 10],
    [20, 40],
  ]);
});
