import { useSyncExternalStore } from "react";

/** A value outside React, which components can follow. */
export interface Store<State> {
  get(): State;
  set(next: State): void;
  /** Reads the value anew from where it was loaded, e.g. after another tab has changed it. */
  reload(): void;
  /** Calls `listener` after every change; the returned function ends that. */
  subscribe(listener: () => void): () => void;
  /** What prerendered pages show. */
  readonly initial: State;
}

/** Makes a store. `load` reads its first value from the browser, when it is first asked for. */
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

/** The value of a store, for a component. */
export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get, () => store.initial);
}
