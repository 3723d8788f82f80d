import { canBuy } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { rememberPath, useSession } from "@konomana/session";
import { ButtonLink, EmptyState, Page } from "@konomana/ui-base";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { NoCart } from "../cart/NoCart";

/** Content for accounts with a cart. A visitor sees a request to sign in that returns here. */
export function ForBuyers({ children }: { children: ReactNode }) {
  const { user } = useSession();
  const { pathname } = useLocation();
  if (user !== null && canBuy(user)) return children;
  if (user !== null)
    return (
      <Page title="クーポン">
        <NoCart />
      </Page>
    );
  const comeBack = () => rememberPath(pathname);
  return (
    <Page title="クーポン">
      <EmptyState
        title="クーポンを使うには、ログインが必要です"
        action={
          <>
            <ButtonLink to={paths.login()} pill onClick={comeBack}>
              ログインする
            </ButtonLink>
            <ButtonLink to={paths.signup()} pill variant="default" onClick={comeBack}>
              はじめての方は新規登録
            </ButtonLink>
          </>
        }
      >
        クーポンは、アカウントごとに使えます。ログインのあとは、この画面に戻ります。カートの中身も残ります。
      </EmptyState>
    </Page>
  );
}
