import { paths } from "@konomana/paths";
import { hasScope, useSession } from "@konomana/session";
import { ButtonLink, EmptyState } from "@konomana/ui-base";

/** An empty cart, with links to the products. */
export function EmptyCart() {
  const { user } = useSession();
  return (
    <EmptyState
      title="カートは空です"
      action={
        <>
          <ButtonLink to={paths.courses()} pill>
            講座をさがす
          </ButtonLink>
          {user !== null && hasScope(user, "learner") && (
            <ButtonLink to={paths.bookmarks()} pill variant="default">
              「あとで見る」を開く
            </ButtonLink>
          )}
        </>
      }
    >
      講座のページで「カートに入れる」を押すと、ここに並びます。
    </EmptyState>
  );
}
