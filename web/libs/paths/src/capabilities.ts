import { addresses } from "./paths";

/** A capability of the product, open or planned. */
interface Capability {
  /** Its name on every page. */
  readonly name: string;
  /**
   * The pattern of its screen. The capability is open if a screen has this pattern. `null`:
   * planned, without a screen.
   */
  readonly at: string | null;
}

/**
 * The capabilities of the product. Every page that names a capability reads this list, so all pages
 * agree. A capability is open once its screen exists.
 */
const capabilities = {
  courses: { name: "講座さがし", at: "/course" },
  playback: { name: "レッスン動画の再生", at: "/lecture/:id" },
  questions: { name: "確認問題と復習", at: "/lecture/:id/question/:questionId" },
  bookmarks: { name: "あとで見る", at: "/mypage/bookmark" },
  favorites: { name: "お気に入り", at: "/mypage/favorite" },
  results: { name: "学習の記録", at: "/mypage/result" },
  guardians: { name: "保護者とのつながり", at: "/mypage/settings/guardian" },
  purchase: { name: "講座の購入", at: "/cart/confirm" },
  mockExam: { name: "模試（コノ模試）", at: "/mypage/mockexam" },
  plan: { name: "教科別の学習計画（コノシキ）", at: "/mypage/konoshiki/home" },
  events: { name: "イベントの申し込み", at: "/mypage/event" },
  interview: { name: "学習相談と三者面談の予約", at: "/mypage/interview" },
  report: { name: "月ごとの学習レポートのメール", at: null },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof capabilities;

/** Whether a capability can be used today. */
export function isOpen(name: CapabilityName): boolean {
  const { at } = capabilities[name];
  const domains: readonly Record<string, { readonly pattern: string }>[] = Object.values(addresses);
  return domains.some((domain) => Object.values(domain).some(({ pattern }) => pattern === at));
}

/** The names of the open or of the planned capabilities, in Japanese: `講座さがし、あとで見る`. */
export function namesOf(open: boolean): string {
  const names = (Object.keys(capabilities) as CapabilityName[]).filter(
    (name) => isOpen(name) === open,
  );
  return names.map((name) => capabilities[name].name).join("、");
}
