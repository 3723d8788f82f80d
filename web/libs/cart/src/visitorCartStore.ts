import { createStore, sharedStorage, useStore } from "@konomana/browser";
import { useEffect } from "react";

/** For all tabs, until it joins the cart of an account. */
export const STORAGE_KEY = "konomana.cart";

/** How many lines a cart has at most. */
export const CART_LIMIT = 20;

const none: readonly number[] = [];

/** The products in a visitor's cart, as the browser keeps them; oldest first, each once. */
export const visitorCartStore = createStore(none, () => {
  const stored = sharedStorage.readJson(STORAGE_KEY);
  return Array.isArray(stored) ? [...new Set(stored.filter(isProduct))].slice(0, CART_LIMIT) : none;
});

/** The visitor's cart, for a component; other tabs change it too. A prerendered page shows it empty. */
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
