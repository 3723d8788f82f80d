import { paths } from "@konomana/paths";
import { Button } from "@konomana/ui";
import { Link } from "react-router";

/** The way to a new password, for somebody whose password another person may know. */
export function NewPasswordLink() {
  return (
    <Button component={Link} to={paths.password()} size="lg" fullWidth>
      新しいパスワードを決める
    </Button>
  );
}
