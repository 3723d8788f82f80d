import { formatDuration } from "@konomana/ui-base";
import type { Measured } from "./measure";

/** The result for one point of the device check, with its remedy. */
export interface Finding {
  name: string;
  state: "good" | "care" | "bad";
  /** The result in words. */
  words: string;
  /** What to do about it. Empty if there is nothing to do. */
  mend: string;
}

/** Clock difference from which the device's clock is reported as wrong, in milliseconds. */
const CLOCK_MS = 60_000;

/** Round trip from which a connection is slow, and from which it is too slow, in milliseconds. */
const SLOW_MS = 500;
const TOO_SLOW_MS = 5000;

/** The findings for the measured points. */
export function findingsOf(measured: Measured): readonly Finding[] {
  return [
    browserFinding(measured),
    clockFinding(measured.clock_offset_ms),
    storageFinding(measured.storage_kept),
    connectionFinding(measured.round_trip_ms),
  ];
}

function browserFinding({ browser, browser_fits }: Measured): Finding {
  return browser_fits
    ? { name: "ブラウザ", state: "good", words: `${browser}で受けられます。`, mend: "" }
    : {
        name: "ブラウザ",
        state: "bad",
        words: `${browser}では受けられません。`,
        mend: "ChromeかSafari、Edge、Firefoxの新しい版に変えてください。",
      };
}

function clockFinding(offset: number): Finding {
  const seconds = Math.round(Math.abs(offset) / 1000);
  if (Math.abs(offset) < CLOCK_MS)
    return { name: "時計", state: "good", words: "時計は合っています。", mend: "" };
  return {
    name: "時計",
    state: "care",
    words: `この端末の時計は、${formatDuration(seconds)}${offset > 0 ? "進んで" : "遅れて"}います。`,
    mend: "試験の時間はサーバーの時計で計るので、このままでも受けられます。端末の設定で「時刻を自動で合わせる」にすると安心です。",
  };
}

function storageFinding(isKept: boolean): Finding {
  return isKept
    ? { name: "保存", state: "good", words: "答えをこの端末に保存できます。", mend: "" }
    : {
        name: "保存",
        state: "bad",
        words: "このブラウザには答えを保存できません。",
        mend: "プライベートモードをやめて、ふつうの画面で開いてください。端末の空き容量も確かめてください。",
      };
}

function connectionFinding(ms: number): Finding {
  const words = `1回のやりとりに${(Math.max(ms, 10) / 1000).toLocaleString("ja-JP", { maximumFractionDigits: 2 })}秒かかりました。`;
  if (ms < SLOW_MS) return { name: "通信", state: "good", words, mend: "" };
  return {
    name: "通信",
    state: ms < TOO_SLOW_MS ? "care" : "bad",
    words,
    mend: "Wi-Fiの近くへ動くか、ほかの動画やダウンロードを止めてください。試験の途中で切れても、答えは端末に残ります。",
  };
}
