const running = new Map<string, AbortController>();

/**
 * Announces a request under a key that says what it asks; an older one with the same key is aborted
 * (the specification, §8). The returned controller belongs to the new one; `done` ends its turn.
 */
export function replaceOlder(key: string): { controller: AbortController; done: () => void } {
  running.get(key)?.abort();
  const controller = new AbortController();
  running.set(key, controller);
  return {
    controller,
    done: () => {
      if (running.get(key) === controller) running.delete(key);
    },
  };
}
