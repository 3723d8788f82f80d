import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { ButtonLink } from "@konomana/ui-base";

interface StartButtonProps {
  label?: string;
  /** That the sign-up is to know of, also of whoever presses before the page has come to life. */
  campaign?: string;
  /** Who is to sign up, where the page speaks to guardians alone. */
  kind?: "guardian";
}

/** To begin; for who has begun already, to go on. */
export function StartButton({ label = "無料で登録する", campaign, kind }: StartButtonProps) {
  const { loggedIn } = useSession();
  return (
    <ButtonLink pill to={loggedIn ? paths.mypage() : paths.signup({ campaign, kind })} size="xl">
      {loggedIn ? "マイページへ" : label}
    </ButtonLink>
  );
}

/** To another page of the site, as the one thing to do. */
export function GoButton({ to, children }: { to: string; children: string }) {
  return (
    <ButtonLink pill to={to} size="xl">
      {children}
    </ButtonLink>
  );
}
