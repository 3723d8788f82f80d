import type { Konbini } from "../api";

type Chain = Konbini["stores"][number]["store"];

/** The name of a chain, its names for the two codes, and its payment steps. */
interface ChainGuide {
  name: string;
  steps: readonly string[];
}

const CODES = "「支払いコード」と「確認番号」を、上のとおりに入力します。";
const SLIP =
  "出てきた申込券を、30分以内にレジへ持っていき、現金で支払います。領収書を受け取ってください。";

const loppi: readonly string[] = [
  "店内の機械「Loppi（ロッピー）」で、「各種番号をお持ちの方」を選びます。",
  CODES,
  "表示された内容と金額を確かめて、「確定」を押します。",
  SLIP,
];

/** The guide of each chain. The texts on a machine may change. */
export const chains: Readonly<Record<Chain, ChainGuide>> = {
  familymart: {
    name: "ファミリーマート",
    steps: [
      "店内のマルチコピー機で「代金支払い・チャージ」を選び、「番号入力」へ進みます。",
      CODES,
      "表示された内容と金額を確かめて、「確認」を押します。",
      SLIP,
    ],
  },
  lawson: { name: "ローソン", steps: loppi },
  ministop: { name: "ミニストップ", steps: loppi },
  seicomart: {
    name: "セイコーマート",
    steps: [
      "レジで「インターネットの代金を支払いたい」と伝えます。",
      `レジの画面で、${CODES}`,
      "表示された内容と金額を確かめて、現金で支払います。領収書を受け取ってください。",
    ],
  },
};
