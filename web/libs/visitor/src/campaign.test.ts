import { beforeEach, expect, test, vi } from "vitest";
import { forgetCampaign, rememberCampaign, rememberedCampaign } from "./campaign";

const DAY = 24 * 60 * 60 * 1000;
let kept: Map<string, string>;

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});

test("a campaign is stored for exactly 30 days", () => {
  rememberCampaign("exam-parent", 0);
  expect(rememberedCampaign(30 * DAY - 1)).toBe("exam-parent");
  expect(rememberedCampaign(30 * DAY)).toBeUndefined();
});

test("the newest campaign replaces the stored one and restarts the time", () => {
  rememberCampaign("exam-parent", 0);
  rememberCampaign("exam-student", 20 * DAY);
  expect(rememberedCampaign(40 * DAY)).toBe("exam-student");
});

test("an address without a campaign keeps the stored one", () => {
  rememberCampaign("exam-parent", 0);
  rememberCampaign(null, DAY);
  expect(rememberedCampaign(2 * DAY)).toBe("exam-parent");
});

test.each(["", "夏", "a b", "<script>", "x".repeat(65)])(
  "a name that the server would refuse is not stored: %s",
  (name) => {
    rememberCampaign(name, 0);
    expect(kept.size).toBe(0);
  },
);

test.each(["", "exam-parent", "x exam-parent", "9999999999999", "9999999999999 夏"])(
  "a stored value with another shape is ignored: %s",
  (text) => {
    kept.set("konomana.campaign", text);
    expect(rememberedCampaign(0)).toBeUndefined();
  },
);

test("a sign-up removes the campaign", () => {
  rememberCampaign("exam-parent", 0);
  forgetCampaign();
  expect(rememberedCampaign(1)).toBeUndefined();
});
