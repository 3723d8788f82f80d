import { createStore, sharedStorage, useStore } from "@konomana/browser";
import { useEffect } from "react";

/** For all tabs, until it joins the cart of an account. */
const KEY = "konomana.cart";

/** How many lines a cart has at most. */
export const CART_LIMIT = 20;

const none: readonly number[] = [];

const store = createStore(none, () => {
  const stored = sharedStorage.readJson(KEY);
  return Array.isArray(stored) ? [...new Set(stored.filter(isProduct))].slice(0, CART_LIMIT) : none;
});

/** The products in a visitor's cart; oldest first, each once. */
export const visitorCart = {
  ...store,
  /** Returns whether the product is in the cart now: a full cart takes no more. */
  add(product: number): boolean {
    store.reload();
    const products = store.get();
    if (products.includes(product)) return true;
    if (products.length >= CART_LIMIT) return false;
    write([...products, product]);
    return true;
  },
  /** Takes products out. What another tab has added meanwhile stays. */
  forget(gone: readonly number[]): void {
    store.reload();
    write(store.get().filter((product) => !gone.includes(product)));
  },
};

function write(products: readonly number[]): void {
  if (products.length === 0) sharedStorage.remove(KEY);
  else sharedStorage.writeJson(KEY, products);
  store.set(products);
}

/** The visitor's cart, for a component; other tabs change it too. A prerendered page shows it empty. */
export function useVisitorCart(): readonly number[] {
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === KEY || key === null) store.reload();
    };
    globalThis.addEventListener("storage", follow);
    return () => globalThis.removeEventListener("storage", follow);
  }, []);
  return useStore(store);
}

function isProduct(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
