import { paths } from "@konomana/paths";
import { ButtonLink, EmptyState } from "@konomana/ui-base";

/** For accounts that buy nothing, such as those of staff. */
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
