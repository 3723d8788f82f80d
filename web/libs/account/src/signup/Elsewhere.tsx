import { ApiError } from "@konomana/http";
import { entry } from "../api";
import { paths } from "@konomana/paths";
import { Alert, Stack, Text, ButtonLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import type { PendingSignUp } from "./pendingSignUp";

/** Polling interval of a visible screen for the state of the sign-up. */
const ASK_EVERY_MS = 4000;

/** Whether the sign-up itself has expired, as opposed to a failed request. */
function isDead(error: Error | null): boolean {
  return error instanceof ApiError && error.code === "LINK_DEAD";
}

/**
 * Shows a message when the mail's link was opened on another device. The sign-up continues there,
 * or here with the code.
 */
export function Elsewhere({ pending: { signup } }: { pending: PendingSignUp }) {
  const { data, error } = useQuery({
    queryKey: ["signup-status", signup],
    queryFn: ({ signal }) => entry.signUpStatus(signup, signal),
    gcTime: 0,
    // Stops polling once no change can follow. A page in the background does not poll.
    refetchInterval: ({ state }) =>
      isDead(state.error) || state.data?.state === "done" ? false : ASK_EVERY_MS,
  });
  return (
    <div role="status">
      {isDead(error) && (
        <Alert color="red" title="登録の期限が切れました">
          お手数ですが、もう一度<Link to={paths.signup()}>はじめから登録</Link>してください。
        </Alert>
      )}
      {data?.state === "verified" && (
        <Alert color="blue" title="メールアドレスを確認できました">
          <Text size="sm">
            メールのリンクが開かれました。その画面で登録を続けてください。この画面で続けるときは、確認コードを入力してください。
          </Text>
        </Alert>
      )}
      {data?.state === "done" && (
        <Alert color="blue" title="登録が終わっています">
          <Stack gap="sm" align="start">
            <Text size="sm">ほかの画面で登録が終わりました。ログインしてお使いください。</Text>
            <ButtonLink to={paths.login()}>ログイン</ButtonLink>
          </Stack>
        </Alert>
      )}
    </div>
  );
}
