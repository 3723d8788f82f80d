import { expect, test } from "vitest";
import { dueBy } from "./dueBy";

test("a deadline at the end of a day in Tokyo is shown as that day, any other with its time", () => {
  expect(dueBy("2026-12-02T15:00:00Z")).toBe("2026年12月2日(水)");
  expect(dueBy("2026-12-02T15:00:01Z")).toBe("2026年12月3日(木) 00:00");
  expect(dueBy("2026-11-25T02:00:00Z")).toBe("2026年11月25日(水) 11:00");
});
