import type { Konbini } from "../api";

type Chain = Konbini["stores"][number]["store"];

/** The name of a chain, and its payment steps with or without a confirmation number. */
interface ChainGuide {
  name: string;
  stepsWith: (hasNumber: boolean) => readonly string[];
}

const codes = (hasNumber: boolean) =>
  `「支払いコード」${hasNumber ? "と「確認番号」" : ""}を、上のとおりに入力します。`;
const SLIP =
  "出てきた申込券を、30分以内にレジへ持っていき、現金で支払います。領収書を受け取ってください。";

const loppi: ChainGuide["stepsWith"] = (hasNumber) => [
  "店内の機械「Loppi（ロッピー）」で、「各種番号をお持ちの方」を選びます。",
  codes(hasNumber),
  "表示された内容と金額を確かめて、「確定」を押します。",
  SLIP,
];

/** The guide of each chain. The texts on a machine may change. */
export const chains: Readonly<Record<Chain, ChainGuide>> = {
  familymart: {
    name: "ファミリーマート",
    stepsWith: (hasNumber) => [
      "店内のマルチコピー機で「代金支払い・チャージ」を選び、「番号入力」へ進みます。",
      codes(hasNumber),
      "表示された内容と金額を確かめて、「確認」を押します。",
      SLIP,
    ],
  },
  lawson: { name: "ローソン", stepsWith: loppi },
  ministop: { name: "ミニストップ", stepsWith: loppi },
  seicomart: {
    name: "セイコーマート",
    stepsWith: (hasNumber) => [
      "レジで「インターネットの代金を支払いたい」と伝えます。",
      `レジの画面で、${codes(hasNumber)}`,
      "表示された内容と金額を確かめて、現金で支払います。領収書を受け取ってください。",
    ],
  },
};
