import { paths } from "@konomana/paths";
import { Navigate, useParams } from "react-router";

/**
 * /login/password/reset/{uid}/{token}: the link of a mail for a new password. Its token leaves the address bar
 * and the history at once; the entry of the form remembers it, also for a reload.
 */
export function PasswordResetScreen() {
  const { uid = "", token = "" } = useParams();
  return <Navigate to={paths.passwordResetForm()} replace state={{ uid, token }} />;
}
