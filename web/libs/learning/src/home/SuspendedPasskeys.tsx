import type { User } from "@konomana/session";
import { paths } from "@konomana/paths";
import { Alert, Anchor } from "@konomana/ui";
import { Link } from "react-router";

/** Leads to the passkeys that a recovery of the account suspended, until their owner has kept or removed each. */
export function SuspendedPasskeys({ user }: { user: User }) {
  if (user.suspended_passkeys === 0) return null;
  return (
    <Alert color="red" variant="light" title="使えなくなっているパスキーがあります" mb="lg">
      安全のために止めています。使いつづけるものを選んでください。
      <br />
      <Anchor
        component={Link}
        to={paths.settingsPassword()}
        c="red.9"
        underline="always"
        py={10}
        display="inline-block"
      >
        パスキーを確かめる
      </Anchor>
    </Alert>
  );
}
