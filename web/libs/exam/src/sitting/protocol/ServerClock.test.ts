import { expect, test } from "vitest";
import { ServerClock } from "./ServerClock";

const HOUR = 3_600_000;
const SERVER = Date.parse("2026-11-21T00:00:00Z");

/**
 * Simulated clocks. The device's time of day is `wrong` ms ahead of the server's. The server
 * reports the real time at the middle of a call.
 */
function device(wrong = 0) {
  let real = SERVER;
  let steady = 5000;
  let wall = SERVER + wrong;
  const clock = new ServerClock({ steady: () => steady, wall: () => wall });
  return {
    clock,
    wait: (ms: number) => {
      real += ms;
      steady += ms;
      wall += ms;
    },
    sleep: (ms: number) => {
      real += ms;
      wall += ms;
    },
    setClock: (ms: number) => {
      wall += ms;
    },
    /** A call whose request takes `there` ms and whose response takes `back` ms. */
    call(there: number, back: number) {
      const sentAt = steady;
      this.wait(there);
      const said = real;
      this.wait(back);
      clock.sync(said, sentAt);
    },
    error: () => Math.abs(clock.now().time - real),
  };
}

test.each([0, 3 * HOUR, -3 * HOUR, -300_000])(
  "a device whose clock is %d ms wrong shows the server's time",
  (wrong) => {
    const one = device(wrong);
    expect(one.clock.now().uncertainty).toBe(Infinity);
    one.call(80, 120);
    one.wait(40 * 60_000);
    expect(one.error()).toBeLessThanOrEqual(one.clock.now().uncertainty);
    expect(one.clock.now().uncertainty).toBe(100);
  },
);

test("every response narrows the bounds, and a slow one does not widen them", () => {
  const one = device();
  one.call(500, 20);
  one.call(20, 500);
  expect(one.clock.now().uncertainty).toBeLessThanOrEqual(20);
  one.call(4000, 4000);
  expect(one.clock.now().uncertainty).toBeLessThanOrEqual(20);
  expect(one.error()).toBeLessThanOrEqual(20);
});

test.each([3 * HOUR, -3 * HOUR])(
  "a clock set by %d ms in between is right after the next response",
  (by) => {
    const one = device();
    one.call(20, 20);
    one.setClock(by);
    expect(one.clock.hasJumped).toBe(true);
    expect(one.clock.now().uncertainty).toBe(Infinity);
    one.call(20, 20);
    expect(one.clock.hasJumped).toBe(false);
    expect(one.error()).toBeLessThanOrEqual(20);
  },
);

test("after a sleep the elapsed time counts, before and after the next response", () => {
  const one = device();
  one.call(20, 20);
  one.sleep(HOUR);
  expect(one.clock.hasJumped).toBe(true);
  expect(one.error()).toBeLessThanOrEqual(20);
  one.call(20, 20);
  expect(one.error()).toBeLessThanOrEqual(20);
});

test.each([0, 3 * HOUR, -3 * HOUR])(
  "a page that opens without the server uses what an earlier one knew of a clock that is %d ms wrong",
  (wrong) => {
    let ahead = 0;
    const memory = { read: () => ahead, write: (known: number) => void (ahead = known) };
    const page = (steady: number) =>
      new ServerClock({ steady: () => steady, wall: () => SERVER + wrong }, memory);
    page(5000).sync(SERVER, 4900);
    const { time, uncertainty } = page(100).now();
    expect(Math.abs(time - SERVER)).toBeLessThanOrEqual(100);
    expect(uncertainty).toBe(Infinity);
  },
);
