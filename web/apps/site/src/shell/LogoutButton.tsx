import { logout } from "@konomana/session";
import { Button } from "@konomana/ui";
import { useState } from "react";

/** Signs the person out; `logout` itself opens the login page. */
export function LogoutButton() {
  const [leaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    await logout();
  };
  return (
    <Button
      variant="subtle"
      color="gray.8"
      c="var(--kn-ink-soft)"
      size="md"
      onClick={() => void leave()}
      loading={leaving}
    >
      ログアウト
    </Button>
  );
}
