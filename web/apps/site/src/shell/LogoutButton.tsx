import { logout } from "@konomana/session";
import { PlainButton } from "@konomana/ui";
import { useState } from "react";

/** Signs the person out; `logout` itself opens the login page. */
export function LogoutButton() {
  const [leaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    await logout();
  };
  return (
    <PlainButton variant="quiet" busy={leaving} onClick={() => void leave()}>
      ログアウト
    </PlainButton>
  );
}
