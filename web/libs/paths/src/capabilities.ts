import { addresses } from "./paths";

/** Something that the product can do for somebody, or is to do. */
interface Capability {
  /** What it is called on every page. */
  readonly name: string;
  /** The address where it happens: without such a screen it is not open yet. `null` for what has none, and is to come. */
  readonly at: string | null;
}

/**
 * What the product offers. Pages say of it what is open and what is not by this list alone, so that none of them lags
 * behind: a capability is open once its screen is there.
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
  interview: { name: "三者面談の予約", at: "/mypage/interview" },
  report: { name: "月ごとの学習レポートのメール", at: null },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof capabilities;

/** Whether people can use it today. */
export function isOpen(name: CapabilityName): boolean {
  const { at } = capabilities[name];
  const domains: readonly Record<string, { readonly pattern: string }>[] = Object.values(addresses);
  return domains.some((domain) => Object.values(domain).some(({ pattern }) => pattern === at));
}

/** What is open, or what is not yet, in words: `講座さがし、あとで見る`. */
export function namesOf(open: boolean): string {
  const names = (Object.keys(capabilities) as CapabilityName[]).filter(
    (name) => isOpen(name) === open,
  );
  return names.map((name) => capabilities[name].name).join("、");
}
