import type { User } from "@konomana/session";
import { paths } from "@konomana/paths";
import { Alert, TextLink } from "@konomana/ui-base";

/**
 * A link to the passkeys that an account recovery suspended, shown until each is kept or removed.
 */
export function SuspendedPasskeys({ user }: { user: User }) {
  if (user.suspended_passkeys === 0) return null;
  return (
    <Alert color="red" title="使えなくなっているパスキーがあります">
      安全のために止めています。使いつづけるものを選んでください。
      <br />
      <TextLink to={paths.settingsPassword()}>パスキーを確かめる</TextLink>
    </Alert>
  );
}
