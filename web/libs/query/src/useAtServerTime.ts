import { onServerTime, serverTime } from "@konomana/http";
import { useCallback, useSyncExternalStore } from "react";

/** The longest wait. A sleeping device stops its timers, and its clock may be changed. */
const LONGEST_WAIT_MS = 30_000;

/**
 * A value that depends on the server's time, in milliseconds since 1970. The component renders
 * again when one of `times` is reached. The value is `null` during the prerender and hydration.
 */
export function useAtServerTime<Value extends string | number | boolean>(
  times: readonly string[],
  read: (now: number) => Value,
): Value | null {
  const key = times.join();
  const subscribe = useCallback(
    (notify: () => void) => watchTimes(key.split(",").map(Date.parse), notify),
    [key],
  );
  return useSyncExternalStore(
    subscribe,
    () => read(serverTime()),
    () => null,
  );
}

function watchTimes(times: readonly number[], notify: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    const now = serverTime();
    const next = Math.min(...times.filter((time) => time > now));
    if (next < Infinity) timer = setTimeout(renew, Math.min(next - now, LONGEST_WAIT_MS));
  };
  const renew = () => {
    notify();
    wait();
  };
  const end = onServerTime(renew);
  document.addEventListener("visibilitychange", renew);
  wait();
  return () => {
    clearTimeout(timer);
    end();
    document.removeEventListener("visibilitychange", renew);
  };
}
