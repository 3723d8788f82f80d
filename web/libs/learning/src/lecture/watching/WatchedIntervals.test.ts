import { expect, test } from "vitest";
import { mergeIntervals, WatchedIntervals } from "./WatchedIntervals";

/** Plays from one second to another at a speed, with four readings a second. */
function play(intervals: WatchedIntervals, from: number, to: number, { speed = 1, at = 0 } = {}) {
  for (let time = from; time <= to; time += 0.25 * speed)
    intervals.moveTo(time, at + ((time - from) / speed) * 1000, speed);
}

test("continuous playback is one interval", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 3, 18.5);
  expect(intervals.take()).toEqual([[3, 18]]);
});

test.each([0.5, 1.5, 3])("at a speed of %d it is the same", (speed) => {
  const intervals = new WatchedIntervals();
  play(intervals, 0, 30, { speed });
  expect(intervals.take()).toEqual([[0, 30]]);
});

test("no second is lost after `take`", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 0, 15.25);
  expect(intervals.take()).toEqual([[0, 15]]);
  play(intervals, 15.5, 30, { at: 15_500 });
  expect(intervals.take()).toEqual([[15, 30]]);
  expect(intervals.take()).toEqual([]);
});

test("a seek ends an interval even if the player does not report it", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 0, 10);
  play(intervals, 400, 410, { at: 10_250 });
  expect(intervals.take()).toEqual([
    [0, 10],
    [400, 410],
  ]);
});

test("a short seek that the player reports is not watched either", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 0, 10);
  intervals.stop();
  play(intervals, 11, 15, { at: 10_100 });
  expect(intervals.take()).toEqual([
    [0, 10],
    [11, 15],
  ]);
});

test("a part that is watched twice is listed once", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 10, 20);
  intervals.stop();
  play(intervals, 5, 15, { at: 10_000 });
  expect(intervals.take()).toEqual([[5, 20]]);
});

test("sleep of the computer is not watched, playback in a throttled tab is", () => {
  const intervals = new WatchedIntervals();
  play(intervals, 0, 10);
  intervals.moveTo(13, 13_000, 1);
  intervals.moveTo(13.25, 3_600_000, 1);
  expect(intervals.take()).toEqual([[0, 13]]);
});

test("adjacent intervals are merged, empty ones are left out", () => {
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
