import { useMediaSelector } from "media-chrome/react/media-store";
import { useEffect, useRef, useState } from "react";
import { VisuallyHidden } from "@konomana/ui-base";
import { usePreferences } from "./preferences";

/** Announces the player's latest state change to screen readers; silent at first. */
export function Announcer() {
  const paused = useMediaSelector((state) => state.mediaPaused) ?? true;
  const ended = useMediaSelector((state) => state.mediaEnded) ?? false;
  const loading = useMediaSelector((state) => state.mediaLoading) ?? false;
  const { captions, speed } = usePreferences();
  const playing = loading ? "読み込み中" : "再生中";
  const facts = [
    ended ? "最後まで再生しました" : paused ? "一時停止" : playing,
    captions ? "字幕を表示" : "字幕を非表示",
    `再生速度${speed}倍`,
  ];
  const before = useRef(facts);
  const [said, setSaid] = useState("");
  const all = facts.join("\n");
  useEffect(() => {
    const now = all.split("\n");
    const changed = now.find((fact, index) => fact !== before.current[index]);
    before.current = now;
    if (changed !== undefined) setSaid(changed);
  }, [all]);
  return <VisuallyHidden role="status">{said}</VisuallyHidden>;
}
