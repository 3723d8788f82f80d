import { expect, test } from "vitest";
import { browserName, middleOf } from "./measure";

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
    "Chrome 141",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.1",
    "Edge 141",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
    "Safari 18",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox 140"],
  [
    "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.1 Mobile/15E148 Safari/604.1",
    "Chrome 140",
  ],
  ["curl/8.0", "ほかのブラウザ"],
])("a browser by its user agent: %s", (agent, name) => {
  expect(browserName(agent)).toBe(name);
});

const callOf = (round_trip_ms: number) => ({
  round_trip_ms,
  clock_offset_ms: round_trip_ms * 2,
});

test("the connection is measured by the median call", () => {
  expect(middleOf([40, 900, 20, 30, 35].map(callOf))).toEqual(callOf(35));
});
