import { useStore } from "@konomana/browser";
import { Note, VisuallyHidden } from "@konomana/ui-base";
import { useEffect, useState } from "react";
import { currentSession } from "../protocol/OpenSitting";
import type { SittingSession } from "../protocol/SittingSession";
import styles from "./SittingClock.module.css";

/** Two ticks per second, so no displayed second is skipped. */
const TICK_MS = 500;

/** Minutes left at which a screen reader announces the time, longest first. */
const TOLD_MINUTES = [10, 5, 1] as const;

const time = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "Asia/Tokyo",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** The device's time in milliseconds, updated with every tick. */
function useTick(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/**
 * The remaining time of the open paper, in the bar of the exam. Without an open paper, the time of
 * day.
 */
export function SittingClock() {
  const session = useStore(currentSession);
  return session === null ? <TimeOfDay /> : <TimeLeft session={session} />;
}

function TimeOfDay() {
  return <time aria-label="いまの時刻">{time.format(useTick())}</time>;
}

function TimeLeft({ session }: { session: SittingSession }) {
  useTick();
  const { sitting, phase } = useStore(session.state);
  const { uncertainty } = session.clock.now();
  const seconds = Math.max(0, Math.ceil(session.left / 1000));
  return (
    <div className={`kn-end ${styles.clock}`}>
      <div role="timer" aria-label="残り時間" data-last={seconds <= 300 || undefined}>
        {phase === "running" ? (
          <>
            <span className={styles.word}>残り</span>
            <strong className="kn-figure">{minutesAndSeconds(seconds)}</strong>
          </>
        ) : (
          <strong className="kn-figure">終了</strong>
        )}
      </div>
      <Note size="xs">
        {time.format(Date.parse(sitting.deadline_at))}まで・{wordsOf(uncertainty)}
      </Note>
      <Announcement seconds={phase === "running" ? seconds : 0} />
    </div>
  );
}

/** Formats seconds: `2715` is `45:15`. */
function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The accuracy of the clock in words. */
function wordsOf(uncertainty: number): string {
  if (!Number.isFinite(uncertainty)) return "時計を確認中";
  return `誤差${(Math.ceil(uncertainty / 100) / 10).toFixed(1)}秒以内`;
}

/**
 * Announces 10, 5 and 1 minutes left, each once. Marks that had passed when the page opened are
 * skipped.
 */
function Announcement({ seconds }: { seconds: number }) {
  const reached = TOLD_MINUTES.findLast((minutes) => seconds <= minutes * 60) ?? null;
  const [first] = useState(reached);
  return (
    <VisuallyHidden aria-live="assertive">
      {reached !== null && reached !== first && seconds > 0 && `残り時間は${reached}分です。`}
    </VisuallyHidden>
  );
}
