import { paths } from "@konomana/paths";
import { Navigate, useParams } from "react-router";

/**
 * /login/password/reset/{uid}/{token}: the target of the mail's link for a new password. The token
 * is removed from the address bar and the history at once. The state of the form's history entry
 * holds it, also for a reload.
 */
export function PasswordResetScreen() {
  const { uid = "", token = "" } = useParams();
  return <Navigate to={paths.passwordResetForm()} replace state={{ uid, token }} />;
}
