import { expect, test } from "vitest";
import { joined, Stretches } from "./Stretches";

/** Plays from one second to another at a speed, looking four times a second. */
function play(stretches: Stretches, from: number, to: number, { speed = 1, at = 0 } = {}) {
  for (let time = from; time <= to; time += 0.25 * speed)
    stretches.moved(time, at + ((time - from) / speed) * 1000, speed);
}

test("what plays without a break is one stretch", () => {
  const stretches = new Stretches();
  play(stretches, 3, 18.5);
  expect(stretches.take()).toEqual([[3, 18]]);
});

test.each([0.5, 1.5, 3])("at a speed of %d it is the same", (speed) => {
  const stretches = new Stretches();
  play(stretches, 0, 30, { speed });
  expect(stretches.take()).toEqual([[0, 30]]);
});

test("what follows a hand-over leaves no second out", () => {
  const stretches = new Stretches();
  play(stretches, 0, 15.25);
  expect(stretches.take()).toEqual([[0, 15]]);
  play(stretches, 15.5, 30, { at: 15_500 });
  expect(stretches.take()).toEqual([[15, 30]]);
  expect(stretches.take()).toEqual([]);
});

test("what is skipped is not watched, though the player says nothing of a leap", () => {
  const stretches = new Stretches();
  play(stretches, 0, 10);
  play(stretches, 400, 410, { at: 10_250 });
  expect(stretches.take()).toEqual([
    [0, 10],
    [400, 410],
  ]);
});

test("a short leap that the player tells of is not watched either", () => {
  const stretches = new Stretches();
  play(stretches, 0, 10);
  stretches.stopped();
  play(stretches, 11, 15, { at: 10_100 });
  expect(stretches.take()).toEqual([
    [0, 10],
    [11, 15],
  ]);
});

test("leaping back and watching the same again names it once", () => {
  const stretches = new Stretches();
  play(stretches, 10, 20);
  stretches.stopped();
  play(stretches, 5, 15, { at: 10_000 });
  expect(stretches.take()).toEqual([[5, 20]]);
});

test("a computer that slept did not watch, and one whose tab was slowed down did", () => {
  const stretches = new Stretches();
  play(stretches, 0, 10);
  stretches.moved(13, 13_000, 1);
  stretches.moved(13.25, 3_600_000, 1);
  expect(stretches.take()).toEqual([[0, 13]]);
});

test("parts that touch become one, empty ones are left out", () => {
  expect(
    joined([
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
