import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { ButtonLink } from "@konomana/ui-base";

interface StartButtonProps {
  label?: string;
  /** Campaign for the sign-up. It is part of the link, so that it also works before hydration. */
  campaign?: string;
  /** Kind of account to sign up for, on pages for guardians. */
  kind?: "guardian";
}

/** Leads to the sign-up, or to my page after login. */
export function StartButton({ label = "無料で登録する", campaign, kind }: StartButtonProps) {
  const { loggedIn } = useSession();
  return (
    <ButtonLink pill to={loggedIn ? paths.mypage() : paths.signup({ campaign, kind })} size="xl">
      {loggedIn ? "マイページへ" : label}
    </ButtonLink>
  );
}

/** A page's main action: a link to another page of the site. */
export function GoButton({ to, children }: { to: string; children: string }) {
  return (
    <ButtonLink pill to={to} size="xl">
      {children}
    </ButtonLink>
  );
}
