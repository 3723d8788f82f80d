import { useEffect, useState } from "react";

/**
 * Counts down a wait. Returns the seconds left, and a function that starts another wait. Times are
 * Unix milliseconds.
 */
export function useCountdown(from: number): [number, (until: number) => void] {
  const [{ until, now }, setWait] = useState(() => ({ until: from, now: Date.now() }));
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  const over = left === 0;
  useEffect(() => {
    if (over) return;
    const ticking = setInterval(() => setWait((wait) => ({ ...wait, now: Date.now() })), 1000);
    return () => clearInterval(ticking);
  }, [over]);
  return [left, (next) => setWait({ until: next, now: Date.now() })];
}
