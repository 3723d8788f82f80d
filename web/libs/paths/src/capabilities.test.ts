import { expect, test } from "vitest";
import { isOpen, namesOf } from "./capabilities";

test("a capability with a screen is open", () => {
  for (const name of ["playback", "questions", "guardians", "purchase", "mockExam"] as const)
    expect(isOpen(name)).toBe(true);
  expect(namesOf(true)).toContain("レッスン動画の再生、確認問題と復習");
});

test("a capability without a screen is listed as planned", () => {
  expect(isOpen("plan")).toBe(false);
  expect(isOpen("report")).toBe(false);
  expect(namesOf(false)).toMatch(/^教科別の学習計画（コノシキ）、.*月ごとの学習レポートのメール$/);
});
