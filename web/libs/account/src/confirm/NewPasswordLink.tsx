import { paths } from "@konomana/paths";
import { ButtonLink } from "@konomana/ui-base";

/** Link to the password reset, for a person whose password may be known to someone else. */
export function NewPasswordLink() {
  return (
    <ButtonLink to={paths.password()} size="lg" fullWidth>
      新しいパスワードを決める
    </ButtonLink>
  );
}
