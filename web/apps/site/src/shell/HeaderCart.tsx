import { canBuy, CartCount, useVisitorCart } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { VisuallyHidden } from "@konomana/ui-base";
import { Suspense } from "react";
import { Link } from "react-router";
import { withQueries } from "../lazyQueries";
import styles from "./Header.module.css";
import { CartIcon } from "./icons";
import { lazyPart } from "./lazyPart";

/** The cart of an account needs the query client, which visitors' pages do not load. */
const AccountCount = lazyPart(
  withQueries(async () => (await import("@konomana/cart/badge")).AccountCount),
);

/** The link to the cart, with the number of items in it. */
export function HeaderCart() {
  const { user } = useSession();
  const products = useVisitorCart();
  if (user !== null && !canBuy(user)) return null;
  return (
    <Link className={`${styles.icon} ${styles.cart}`} to={paths.cart()}>
      <CartIcon />
      <VisuallyHidden>カート</VisuallyHidden>
      <span className={styles.count}>
        <Suspense>
          {user === null ? <CartCount count={products.length} /> : <AccountCount />}
        </Suspense>
      </span>
    </Link>
  );
}
