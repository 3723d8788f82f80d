import { expect, test } from "vitest";
import type { Stage } from "../api";
import { hasStarted, isDone, isOpen, pathOfStage, steps } from "./steps";

const opened = (stage: Stage) => steps.filter((step) => isOpen(step, stage));

test("a step opens when the previous ones are done, and stays open", () => {
  expect(opened("seat")).toEqual(["seat"]);
  expect(opened("desired_schools")).toEqual(["seat", "basic_info", "desired_schools"]);
  expect(opened("handed_in")).toEqual([...steps]);
});

test("a step is done when a later one is next", () => {
  expect(steps.filter((one) => isDone(one, "device_check"))).toEqual([
    "seat",
    "basic_info",
    "desired_schools",
  ]);
});

test("the first open step has its screen", () => {
  expect(pathOfStage("seat", 2)).toBe("/mypage/mockexam/2");
  expect(pathOfStage("basic_info", 2)).toBe("/mypage/mockexam/2/basicinfo");
  expect(pathOfStage("desired_schools", 2)).toBe("/mypage/mockexam/2/schoolinfo");
  expect(pathOfStage("device_check", 2)).toBe("/mypage/mockexam/2/environmentinfo");
  expect(pathOfStage("handed_in", 2)).toBe("/mypage/mockexam/2");
});

test("an exam has started once a paper was started", () => {
  const paper = {
    paper_id: 11,
    subject: "英語",
    minutes: 50,
    sitting_id: null,
    handed_in_at: null,
  };
  expect(hasStarted({ papers: [{ ...paper, state: "not_started" }] })).toBe(false);
  expect(hasStarted({ papers: [{ ...paper, state: "running" }] })).toBe(true);
});
