import { VisuallyHidden } from "@konomana/ui-base";
import styles from "./CartCount.module.css";

/** The number of items in the cart, beside its icon. Renders nothing for an empty cart. */
export function CartCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <>
      <VisuallyHidden>{count}件</VisuallyHidden>
      <span aria-hidden="true" className={styles.count}>
        {count}
      </span>
    </>
  );
}
