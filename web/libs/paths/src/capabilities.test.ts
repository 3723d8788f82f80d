import { expect, test } from "vitest";
import { isOpen, namesOf } from "./capabilities";

test("what has a screen is open, and named so", () => {
  for (const name of ["playback", "questions", "guardians", "purchase", "mockExam"] as const)
    expect(isOpen(name)).toBe(true);
  expect(namesOf(true)).toContain("レッスン動画の再生、確認問題と復習");
});

test("what has none yet is named as what is to come", () => {
  expect(isOpen("plan")).toBe(false);
  expect(isOpen("report")).toBe(false);
  expect(namesOf(false)).toMatch(/^教科別の学習計画（コノシキ）、.*月ごとの学習レポートのメール$/);
});
