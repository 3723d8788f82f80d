import type { Stage } from "../api/examCardTypes";

/** Labels of the next step of an application. */
export const stageNames: Readonly<Record<Stage, string>> = {
  seat: "申し込む",
  basic_info: "基本情報を入れる",
  desired_schools: "志望校を選ぶ",
  device_check: "受ける端末を確かめる",
  exam: "受験する",
  handed_in: "提出しました",
};
