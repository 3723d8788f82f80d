import { useSyncExternalStore } from "react";

/** A value outside React that components can subscribe to. */
export interface Store<State> {
  get(): State;
  set(next: State): void;
  /** Loads the value again, e.g. after another tab has changed it. */
  reload(): void;
  /** Calls `listener` after every change. The returned function unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** The value on prerendered pages. */
  readonly initial: State;
}

/** Creates a store. `load` reads the first value from the browser on first access. */
export function createStore<State>(
  initial: State,
  load: () => State = () => initial,
): Store<State> {
  let current: { state: State } | null = null;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    initial,
    get: () => (current ??= { state: load() }).state,
    set: (state) => {
      current = { state };
      notify();
    },
    reload: () => {
      current = null;
      notify();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Subscribes a component to a store, and returns its value. */
export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get, () => store.initial);
}
