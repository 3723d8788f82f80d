import { Text, formatClock } from "@konomana/ui-base";
import { useMediaSelector } from "media-chrome/react/media-store";
import { useEffect, useRef } from "react";
import { type Cue, indexAt } from "../player/useCues";
import styles from "./panels.module.css";

interface TranscriptProps {
  cues: readonly Cue[];
  goTo: (second: number) => void;
}

/** The transcript, sentence by sentence. It follows the video, and a press seeks to a sentence. */
export function Transcript({ cues, goTo }: TranscriptProps) {
  const list = useRef<HTMLOListElement>(null);
  const here = useMediaSelector((state) => indexAt(cues, state.mediaCurrentTime ?? 0)) ?? -1;
  useEffect(() => {
    const frame = list.current;
    const line = frame?.children[here];
    // Scrolls only the list; the page keeps its scroll position.
    if (frame && line instanceof HTMLElement)
      frame.scrollTop = line.offsetTop - frame.clientHeight / 2 + line.offsetHeight / 2;
  }, [here]);
  if (cues.length === 0)
    return <Text dimmed>字幕を読み込むと、ここに話している内容が並びます。</Text>;
  return (
    <ol ref={list} className={styles.transcript} aria-label="文字起こし">
      {cues.map(({ from, text }, index) => (
        <li key={from}>
          <button
            type="button"
            className={`kn-way ${styles.line}`}
            aria-current={index === here ? "true" : undefined}
            onClick={() => goTo(from)}
          >
            <span className="kn-fixed kn-bold kn-accent">{formatClock(from)}</span>
            <span>{text}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
