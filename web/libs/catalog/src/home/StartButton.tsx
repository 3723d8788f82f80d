import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { ButtonLink } from "@konomana/ui-base";

/** The main action of the page: to sign up, or to open my page after login. */
export function StartButton() {
  const { loggedIn } = useSession();
  return (
    <ButtonLink pill to={loggedIn ? paths.mypage() : paths.signup()} size="xl">
      {loggedIn ? "マイページへ" : "無料で登録する"}
    </ButtonLink>
  );
}
