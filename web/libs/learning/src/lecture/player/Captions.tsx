import { useMediaSelector } from "media-chrome/react/media-store";
import type { CSSProperties } from "react";
import styles from "./player.module.css";
import { captionSizes, usePreferences } from "./preferences";
import { type Cue, indexAt } from "./useCues";

/** The current caption: in a band below the video in portrait, over its lower edge otherwise. */
export function Captions({ cues }: { cues: readonly Cue[] }) {
  const { captions, captionSize } = usePreferences();
  const said = useMediaSelector(({ mediaCurrentTime: now = 0 }) => {
    const cue = cues[indexAt(cues, now)];
    return cue && now < cue.to ? cue.text : "";
  });
  if (!captions) return null;
  const scale = { "--scale": captionSizes[captionSize].scale } as CSSProperties;
  return (
    // Screen readers have the transcript instead.
    <p className={styles.caption} style={scale} aria-hidden="true">
      {said && <span>{said}</span>}
    </p>
  );
}
