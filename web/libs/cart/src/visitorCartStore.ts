import { createStore, sharedStorage, useStore } from "@konomana/browser";
import { useEffect } from "react";

/** Shared by all tabs until the cart joins the cart of an account. */
export const STORAGE_KEY = "konomana.cart";

/** The maximum number of lines in a cart. */
export const CART_LIMIT = 20;

const none: readonly number[] = [];

/** The products in the visitor's cart, from the browser's storage: oldest first, each once. */
export const visitorCartStore = createStore(none, () => {
  const stored = sharedStorage.readJson(STORAGE_KEY);
  return Array.isArray(stored) ? [...new Set(stored.filter(isProduct))].slice(0, CART_LIMIT) : none;
});

/**
 * Hook for the visitor's cart. Follows changes from other tabs. A prerendered page shows it empty.
 */
export function useVisitorCart(): readonly number[] {
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === STORAGE_KEY || key === null) visitorCartStore.reload();
    };
    globalThis.addEventListener("storage", follow);
    return () => globalThis.removeEventListener("storage", follow);
  }, []);
  return useStore(visitorCartStore);
}

function isProduct(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
