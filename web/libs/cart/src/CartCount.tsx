import { VisuallyHidden } from "@konomana/ui-base";
import styles from "./cart.module.css";

/** How much is in the cart, beside its icon; nothing for an empty one. */
export function CartCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      {count}
      <VisuallyHidden>件</VisuallyHidden>
    </span>
  );
}
