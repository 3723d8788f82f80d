import { logout, useSession } from "@konomana/session";
import { Button, Panel, Stack, Text, Title } from "@konomana/ui-base";
import styles from "./Console.module.css";
import { isStaff } from "./isStaff";
import { SignInScreen } from "./SignInScreen";

/**
 * The staff console. The server enforces permissions; the console only shows the permitted parts.
 */
export function Console() {
  const { user } = useSession();
  return (
    <main className={styles.page}>
      {isStaff(user) ? (
        <Panel>
          <Stack gap="lg">
            <Title order={1} size="h2">
              コノマナ スタッフ
            </Title>
            <Text>
              {user.last_name} {user.first_name}
              さんとしてログインしています。業務の画面はまだありません。
            </Text>
            <Button onClick={() => void logout()}>ログアウト</Button>
          </Stack>
        </Panel>
      ) : (
        <SignInScreen />
      )}
    </main>
  );
}
