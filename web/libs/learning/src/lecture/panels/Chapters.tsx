import { formatClock } from "@konomana/ui-base";
import type { VideoMark } from "../../api";
import { useMediaSelector } from "media-chrome/react/media-store";
import { indexAt } from "../player/useCues";
import styles from "./panels.module.css";

interface ChaptersProps {
  marks: readonly VideoMark[];
  goTo: (second: number) => void;
}

/** The chapters of a video; a press seeks to the start of one. */
export function Chapters({ marks, goTo }: ChaptersProps) {
  const parts = marks.map(({ at, name }) => ({ from: at, name }));
  const here = useMediaSelector((state) => indexAt(parts, state.mediaCurrentTime ?? 0)) ?? -1;
  return (
    <ol>
      {parts.map(({ from, name }, index) => (
        <li key={from}>
          <button
            type="button"
            className={`kn-way ${styles.line}`}
            aria-current={index === here ? "step" : undefined}
            onClick={() => goTo(from)}
          >
            <span className="kn-fixed kn-bold kn-accent">{formatClock(from)}</span>
            <span>{name}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
