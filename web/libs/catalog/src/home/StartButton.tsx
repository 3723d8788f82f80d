import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { ButtonLink } from "@konomana/ui-base";

/** The one call of this page: to begin; for who has begun already, to go on. */
export function StartButton() {
  const { loggedIn } = useSession();
  return (
    <ButtonLink pill to={loggedIn ? paths.mypage() : paths.signup()} size="xl">
      {loggedIn ? "マイページへ" : "無料で登録する"}
    </ButtonLink>
  );
}
