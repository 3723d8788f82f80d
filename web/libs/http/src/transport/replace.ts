const running = new Map<string, AbortController>();

/**
 * Registers a request under a key and aborts an older one with the same key (the specification,
 * §8). Returns the new request's controller, and `done`, which unregisters it.
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
