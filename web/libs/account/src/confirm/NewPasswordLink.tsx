import { paths } from "@konomana/paths";
import { ButtonLink } from "@konomana/ui-base";

/** The way to a new password, for somebody whose password another person may know. */
export function NewPasswordLink() {
  return (
    <ButtonLink to={paths.password()} size="lg" fullWidth>
      新しいパスワードを決める
    </ButtonLink>
  );
}
