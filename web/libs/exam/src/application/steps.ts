import { paths } from "@konomana/paths";
import type { Sheet, Stage } from "../api";

/** The steps of an application, in their order. */
export const steps = ["seat", "basic_info", "desired_schools", "device_check", "exam"] as const;

export type Step = (typeof steps)[number];

export const stepNames: Readonly<Record<Step, string>> = {
  seat: "申し込み",
  basic_info: "基本情報",
  desired_schools: "志望校",
  device_check: "端末の確認",
  exam: "受験",
};

const order: readonly Stage[] = [...steps, "handed_in"];

/** Whether every earlier step is done. */
export function isOpen(step: Step, stage: Stage): boolean {
  return order.indexOf(step) <= order.indexOf(stage);
}

export function isDone(step: Step, stage: Stage): boolean {
  return order.indexOf(step) < order.indexOf(stage);
}

/**
 * The path of the first step that is not done. Without a seat, and when all steps are done, it is
 * the sheet.
 */
export function pathOfStage(stage: Stage, exam: number): string {
  switch (stage) {
    case "basic_info":
      return paths.basicInfo(exam);
    case "desired_schools":
      return paths.desiredSchools(exam);
    case "device_check":
      return paths.deviceCheck(exam);
    default:
      return paths.mockExam(exam);
  }
}

/** Basic info and schools are read-only once a paper was started. */
export function hasStarted({ papers }: Pick<Sheet, "papers">): boolean {
  return papers.some(({ state }) => state !== "not_started");
}
