import { expect, test } from "vitest";
import { phaseOf } from "./phase";

const exam = {
  application_opens_at: "2026-12-01T00:00:00Z",
  application_closes_at: "2026-12-10T15:00:00Z",
  ends_at: "2026-12-13T09:00:00Z",
  seats_left: 3,
};
const at = (moment: string, given = {}) => phaseOf({ ...exam, ...given }, Date.parse(moment));

test("an exam is open for application during its whole period, while there are seats", () => {
  expect(at("2026-11-30T23:59:59Z")).toBe("soon");
  expect(at("2026-12-01T00:00:00Z")).toBe("open");
  expect(at("2026-12-01T00:00:00Z", { seats_left: null })).toBe("open");
  expect(at("2026-12-01T00:00:00Z", { seats_left: 0 })).toBe("full");
  expect(at("2026-12-10T14:59:59Z")).toBe("open");
  expect(at("2026-12-10T15:00:00Z")).toBe("closed");
  expect(at("2026-12-13T09:00:00Z")).toBe("over");
});
