/** A request for a lock that one tab holds at a time. */
export interface TabLock {
  /** Takes the lock from the tab that holds it. */
  steal: () => void;
  release: () => void;
}

/**
 * Requests a lock that one tab of this browser holds at a time, and requests it again when it is
 * lost. `onChange` receives whether this tab holds it. In a browser without Web Locks, every tab
 * holds it.
 */
export function requestTabLock(name: string, onChange: (held: boolean) => void): TabLock {
  const { locks } = navigator;
  if (!locks) {
    onChange(true);
    return { steal: () => {}, release: () => {} };
  }
  const over = new AbortController();
  let letGo: (() => void) | null = null;
  let held = false;

  const hold = (lock: Lock | null): Promise<void> | undefined => {
    if (over.signal.aborted) return undefined;
    if (lock === null) {
      onChange(false);
      wait();
      return undefined;
    }
    held = true;
    onChange(true);
    return new Promise((resolve) => (letGo = resolve));
  };
  const lost = () => {
    if (!held || over.signal.aborted) return;
    held = false;
    onChange(false);
    wait();
  };
  const wait = () => void locks.request(name, { signal: over.signal }, hold).catch(lost);

  void locks.request(name, { ifAvailable: true }, hold).catch(lost);
  return {
    steal: () => {
      if (!held) void locks.request(name, { steal: true }, hold).catch(lost);
    },
    release: () => {
      over.abort();
      letGo?.();
    },
  };
}
