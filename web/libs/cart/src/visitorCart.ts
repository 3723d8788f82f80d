import { sharedStorage } from "@konomana/browser";
import { CART_LIMIT, STORAGE_KEY, visitorCartStore as store } from "./visitorCartStore";

/** Reads and changes the visitor's cart. The header, which is on every page, only reads it. */
export const visitorCart = {
  ...store,
  /** Adds a product. Returns whether it is in the cart; a full cart takes no more. */
  add(product: number): boolean {
    store.reload();
    const products = store.get();
    if (products.includes(product)) return true;
    if (products.length >= CART_LIMIT) return false;
    write([...products, product]);
    return true;
  },
  /** Removes products. Products that another tab added meanwhile stay. */
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
