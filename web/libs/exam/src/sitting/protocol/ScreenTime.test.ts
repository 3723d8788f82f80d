import { expect, test } from "vitest";
import { ScreenTime } from "./ScreenTime";
import type { Sitting } from "./sittingTypes";

const sittingOf = (away_seconds: number, times: Readonly<Record<number, number>> = {}) =>
  ({
    away_seconds,
    question_times: Object.entries(times).map(([id, seconds]) => ({
      question_id: Number(id),
      seconds,
    })),
  }) as Sitting;

/** A counter whose clock is set by hand, in seconds. */
function counter(sitting = sittingOf(0)) {
  const clock = { now: 0 };
  const screen = new ScreenTime(() => clock.now * 1000, sitting);
  const times = () =>
    Object.fromEntries(
      screen.report().question_times.map(({ question_id, seconds }) => [question_id, seconds]),
    );
  return { clock, screen, times };
}

test("counts each question only while it is on the screen and in focus", () => {
  const { clock, screen, times } = counter();
  screen.show(1);
  clock.now = 10;
  screen.show(2);
  clock.now = 15;
  screen.leave();
  clock.now = 45;
  screen.comeBack();
  clock.now = 47.9;
  expect(times()).toEqual({ 1: 10, 2: 7 });
  expect(screen.report().away_seconds).toBe(30);
  screen.show(null);
  clock.now = 100;
  screen.show(1);
  clock.now = 103;
  expect(times()).toEqual({ 1: 13, 2: 7 });
});

test("getting the focus twice loses no time", () => {
  const { clock, screen, times } = counter();
  screen.show(1);
  clock.now = 6;
  screen.comeBack();
  clock.now = 9;
  screen.comeBack();
  expect(times()).toEqual({ 1: 9 });
});

test("losing the focus and being hidden are one absence", () => {
  const { clock, screen } = counter();
  screen.leave();
  clock.now = 4;
  screen.leave();
  clock.now = 9;
  expect(screen.awaySeconds).toBe(9);
  screen.comeBack();
  screen.comeBack();
  clock.now = 20;
  expect(screen.awaySeconds).toBe(9);
});

test("reports only what the server does not have", () => {
  const { clock, screen, times } = counter(sittingOf(5, { 1: 30 }));
  expect(screen.isReported).toBe(true);
  screen.show(1);
  clock.now = 2;
  const report = screen.report();
  expect(report).toEqual({ away_seconds: 5, question_times: [{ question_id: 1, seconds: 32 }] });
  expect(screen.isReported).toBe(false);
  screen.noteReported(report);
  expect(times()).toEqual({});
  expect(screen.isReported).toBe(true);
});

test("after a take-over it goes on from the server's values, after an outage from the higher ones", () => {
  const { clock, screen, times } = counter();
  screen.show(1);
  clock.now = 50;
  screen.leave();
  clock.now = 90;
  screen.merge(sittingOf(3, { 1: 20, 2: 8 }));
  expect(screen.report().away_seconds).toBe(40);
  expect(times()).toEqual({ 1: 50 });
  screen.comeBack();
  screen.continueFrom(sittingOf(6, { 1: 55 }));
  clock.now = 91;
  expect(screen.report().away_seconds).toBe(6);
  expect(times()).toEqual({ 1: 56 });
});

test("a stored sitting of an earlier version has no times", () => {
  const old = { away_seconds: 2 } as Sitting;
  expect(counter(old).screen.report()).toEqual({ away_seconds: 2, question_times: [] });
});
