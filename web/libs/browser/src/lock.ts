/**
 * Runs `work` while no other tab runs work under the same name. The lock is held for `holdMs` after work that
 * succeeded: what a tab stores reaches the others a little later. Where the browser has no locks, runs it at once.
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
