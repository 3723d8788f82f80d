import { logout } from "@konomana/session";
import { Button } from "@konomana/ui-base";
import { useState } from "react";

/** Signs the user out. `logout` opens the login page. */
export function LogoutButton() {
  const [leaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    await logout();
  };
  return (
    <Button pill variant="quiet" busy={leaving} onClick={() => void leave()}>
      ログアウト
    </Button>
  );
}
