import { type Cart, type CartLine, cartQuery, useVisitorCart } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { hasScope, type User } from "@konomana/session";
import {
  Alert,
  ButtonLink,
  Lines,
  LoadingState,
  Note,
  Panel,
  Stack,
  Text,
  TextLink,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { AskGuardians } from "./AskGuardians";
import { CartCoupons } from "./CartCoupons";
import { CartRow } from "./CartRow";
import { CartSums } from "./CartSums";
import { EmptyCart } from "./EmptyCart";
import { OpenOrderPanel } from "./OpenOrderPanel";
import { RemovedRow } from "./RemovedRow";

/** The cart of the signed-in account. */
export function AccountCart({ user }: { user: User }) {
  // Prices and owned courses may have changed since the last fetch.
  const query = useQuery({
    ...cartQuery,
    refetchOnMount: "always",
    // A guardian may have consented meanwhile. Then the same lines can be bought.
    refetchOnWindowFocus: ({ state: { data } }) => (awaitsConsent(data) ? "always" : true),
  });
  return (
    <QueryBoundary query={query} loading={<LoadingState rows={3} height="7rem" />}>
      {(cart) => (
        <Stack gap="lg">
          {cart.open_order !== null && <OpenOrderPanel order={cart.open_order} />}
          {cart.learners.length === 0 && <NoLearner />}
          <CartLines cart={cart} user={user} />
        </Stack>
      )}
    </QueryBoundary>
  );
}

function awaitsConsent(cart: Cart | undefined): boolean {
  return cart?.lines.some(({ problem }) => problem === "consent_missing") ?? false;
}

/** Shown to a guardian without a linked child: there is no learner to buy for. */
function NoLearner() {
  const kept = useVisitorCart().length;
  return (
    <Alert color="blue" title="受講する方がいません">
      <p>
        お子さまのアカウントとつながると、お子さまの講座を購入できます。
        {kept > 0 && `ログインの前に選んだ${kept}件は、このブラウザに残っています。`}
      </p>
      <TextLink to={paths.mypage()}>マイページでお子さまとつながる</TextLink>
    </Alert>
  );
}

/** Whether two lines have the same product and learner. */
function isSame(one: CartLine, other: CartLine): boolean {
  return one.product.id === other.product.id && one.learner.id === other.learner.id;
}

function CartLines({ cart, user }: { cart: Cart; user: User }) {
  /**
   * The lines removed since the cart was opened. A line that was added again is no longer in this
   * list.
   */
  const [removed, setRemoved] = useState<readonly CartLine[]>([]);
  const list = useRef<HTMLUListElement>(null);
  const rows = [
    ...cart.lines.map((line) => ({ line, isRemoved: false })),
    ...removed
      .filter((gone) => !cart.lines.some((line) => isSame(line, gone)))
      .map((line) => ({ line, isRemoved: true })),
  ].toSorted((a, b) => a.line.added_at.localeCompare(b.line.added_at));
  if (rows.length === 0) return cart.open_order === null ? <EmptyCart /> : null;
  const remember = (gone: CartLine) =>
    setRemoved((before) => [...before.filter((line) => !isSame(line, gone)), gone]);
  const hasSummary = hasMore(cart);
  return (
    <div className={hasSummary ? "kn-columns" : undefined}>
      <Panel>
        <Lines ref={list} tabIndex={-1} aria-label="カートの中の講座">
          {rows.map(({ line, isRemoved }) =>
            isRemoved ? (
              <RemovedRow key={line.id} line={line} onRestored={() => list.current?.focus()} />
            ) : (
              <CartRow
                key={line.id}
                line={line}
                learners={cart.learners}
                user={user}
                onRemoved={remember}
              />
            ),
          )}
        </Lines>
      </Panel>
      {hasSummary && (
        <Stack className="kn-sticky">
          <Summary cart={cart} />
          {hasScope(user, "learner") && cart.lines.some(({ is_ordered }) => !is_ordered) && (
            <AskGuardians cart={cart} />
          )}
        </Stack>
      )}
    </div>
  );
}

/** Whether the cart has lines outside the open order, or there is no open order. */
function hasMore({ lines, open_order }: Cart): boolean {
  return open_order === null || lines.some(({ is_ordered }) => !is_ordered);
}

/** The total to pay, and the next step. */
function Summary({ cart }: { cart: Cart }) {
  const { lines, open_order } = cart;
  const free = lines.filter(({ is_ordered }) => !is_ordered);
  const buyable = free.filter(({ problem }) => problem === null).length;
  return (
    <Panel as="section" gap="sm" aria-label="合計">
      <CartSums cart={cart} />
      <CartCoupons cart={cart} />
      {buyable < free.length && <Note>購入できない講座は、合計とご注文に入りません。</Note>}
      {open_order !== null && buyable > 0 && (
        <Text size="sm">
          先に、お支払い手続き中のご注文のお支払いか取り消しをしてください。そのあと、残りの講座を購入できます。
        </Text>
      )}
      {open_order === null && buyable > 0 && (
        <ButtonLink to={paths.cartConfirm()} size="lg" fullWidth>
          購入手続きへ
        </ButtonLink>
      )}
      <TextLink to={paths.courses()}>講座をさがす</TextLink>
    </Panel>
  );
}
