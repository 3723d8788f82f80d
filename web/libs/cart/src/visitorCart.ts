import { sharedStorage } from "@konomana/browser";
import { CART_LIMIT, STORAGE_KEY, visitorCartStore as store } from "./visitorCartStore";

/** Reads and changes the products in a visitor's cart. The header, on every page, only reads them. */
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
  if (products.length === 0) sharedStorage.remove(STORAGE_KEY);
  else sharedStorage.writeJson(STORAGE_KEY, products);
  store.set(products);
}
