import type { MaintenanceWindow } from "./maintenanceApi";

const parts: Record<MaintenanceWindow["scope"], string> = {
  Site: "サイト全体",
  Accounts: "ログインと会員情報",
  Learning: "マイページと学習の記録",
  Commerce: "ご購入",
  Exam: "模試",
};

/** What is unavailable during a window. */
export function consequence({ scope, mode }: MaintenanceWindow): string {
  return mode === "Full"
    ? `${parts[scope]}をご利用いただけません。`
    : `${parts[scope]}で、保存や変更ができません。`;
}
