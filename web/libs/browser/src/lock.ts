/**
 * Runs `work` while no other tab runs work under the same name. After success the lock is held for
 * `holdMs` more, because other tabs see stored values with a delay. In a browser without locks, it
 * runs `work` at once.
 */
export async function withLock<Result>(
  name: string,
  work: () => Promise<Result>,
  holdMs = 0,
): Promise<Result> {
  if (!navigator.locks) return work();
  return new Promise((resolve, reject) => {
    void navigator.locks.request(name, async () => {
      const running = work();
      running.then(resolve, reject);
      await running.then(
        () => new Promise<void>((held) => setTimeout(held, holdMs)),
        () => {},
      );
    });
  });
}
