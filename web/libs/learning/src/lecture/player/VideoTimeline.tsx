import type { VideoMark } from "../../api";
import { formatDuration, formatClock } from "@konomana/ui-base";
import { useMediaSelector } from "media-chrome/react/media-store";
import type { CSSProperties } from "react";
import styles from "./controls.module.css";
import { seek } from "./useCommands";

interface VideoTimelineProps {
  video: HTMLVideoElement | null;
  /** The lesson's duration, used until the video reports its own. */
  duration: number;
  marks: readonly VideoMark[];
}

/** The timeline of the video, a slider with marks for its chapters. */
export function VideoTimeline({ video, duration: told, marks }: VideoTimelineProps) {
  const time = useMediaSelector((state) => state.mediaCurrentTime) ?? 0;
  const length = useMediaSelector((state) => state.mediaDuration);
  const buffered = useMediaSelector((state) => state.mediaBuffered);
  const duration = length && Number.isFinite(length) ? length : told;
  const loaded = buffered?.find(([from, to]) => from <= time && time <= to)?.[1] ?? 0;
  const share = (second: number) => `${Math.min(100, (second / duration) * 100)}%`;
  const shares = { "--played": share(time), "--loaded": share(loaded) } as CSSProperties;
  return (
    <div className={styles.timeline} style={shares}>
      <span>{formatClock(time)}</span>
      <span className={styles.line}>
        <input
          type="range"
          min={0}
          max={Math.floor(duration)}
          step={1}
          value={Math.min(Math.floor(time), Math.floor(duration))}
          aria-label="再生位置"
          aria-valuetext={`${formatDuration(Math.floor(time))}（全体${formatDuration(duration)}）`}
          onChange={(event) => video && seek(video, Number(event.currentTarget.value))}
        />
        {marks
          .filter(({ at }) => at > 0 && at < duration)
          .map(({ at }) => (
            <span key={at} className={styles.mark} style={{ left: share(at) }} aria-hidden="true" />
          ))}
      </span>
      <span>{formatClock(duration)}</span>
    </div>
  );
}
