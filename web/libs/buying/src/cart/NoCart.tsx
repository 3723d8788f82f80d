import { paths } from "@konomana/paths";
import { ButtonLink, EmptyState } from "@konomana/ui-base";

/** Shown to accounts that can't buy, e.g. staff. */
export function NoCart() {
  return (
    <EmptyState
      title="このアカウントでは購入できません"
      action={
        <ButtonLink to={paths.courses()} pill>
          講座をさがす
        </ButtonLink>
      }
    >
      講座を購入できるのは、生徒か保護者の方のアカウントです。
    </EmptyState>
  );
}
