import { ApiError, entry, type SignUpVerified } from "@konomana/api";
import { paths } from "@konomana/paths";
import { Alert, Button, Stack, Text } from "@konomana/ui";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Handle } from "./handle";

/** How often a screen that somebody looks at asks how far the sign-up is. */
const ASK_EVERY_MS = 4000;

interface ElsewhereProps {
  handle: Handle;
  onGoOn: (verified: SignUpVerified) => void;
}

/** Whether the sign-up itself is over, other than a question that failed. */
function isDead(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "LINK_DEAD";
}

/** Says so when the mail's link was opened on another device, and that it goes on here as well. */
export function Elsewhere({ handle, onGoOn }: ElsewhereProps) {
  const { signup } = handle;
  const { data, error } = useQuery({
    queryKey: ["signup-status", signup],
    queryFn: ({ signal }) => entry.signUpStatus(signup, signal),
    gcTime: 0,
    // Not while the page lies in the background, and not once there is nothing more to come.
    refetchInterval: ({ state }) =>
      isDead(state.error) || state.data?.state === "done" ? false : ASK_EVERY_MS,
  });
  return (
    <div role="status">
      {isDead(error) && (
        <Alert color="red" variant="light" title="登録の期限が切れました">
          お手数ですが、もう一度<Link to={paths.signup()}>はじめから登録</Link>してください。
        </Alert>
      )}
      {data?.state === "verified" && (
        <Alert color="blue" variant="light" title="メールアドレスを確認できました">
          <Stack gap="sm" align="start">
            <Text size="sm">
              メールのリンクが開かれました。その画面でも、この画面でも、登録を続けられます。
            </Text>
            <Button size="md" onClick={() => onGoOn({ ...data, signup })}>
              ここで登録を続ける
            </Button>
          </Stack>
        </Alert>
      )}
      {data?.state === "done" && (
        <Alert color="blue" variant="light" title="登録が終わっています">
          <Stack gap="sm" align="start">
            <Text size="sm">ほかの画面で登録が終わりました。ログインしてお使いください。</Text>
            <Button component={Link} to={paths.login()} size="md">
              ログイン
            </Button>
          </Stack>
        </Alert>
      )}
    </div>
  );
}
