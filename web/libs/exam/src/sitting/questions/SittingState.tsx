import { useStore } from "@konomana/browser";
import { sentenceOf } from "@konomana/http";
import { sessionEnd } from "@konomana/session";
import { Alert, Stack, Text } from "@konomana/ui-base";
import { lazy, Suspense } from "react";
import type { SittingSession } from "../protocol/SittingSession";
import styles from "./questions.module.css";

/** The password form, loaded when a login has ended. */
const LoginAgain = lazy(async () => {
  try {
    return { default: (await import("../login/LoginAgain")).LoginAgain };
  } catch {
    return { default: ReloadToLogIn };
  }
});

/** Shown if the form could not be loaded. */
function ReloadToLogIn() {
  return <Text>ページを開き直すと、ログインのページが開きます。答えはこの端末に残ります。</Text>;
}

/** Warnings about the time, the connection, the login and the device's storage. */
export function SittingState({ session }: { session: SittingSession }) {
  const { phase, unsent, isConnected, storage, failure } = useStore(session.state);
  const needsLogin = useStore(sessionEnd) !== null;
  return (
    <Stack gap="xs" className={styles.state}>
      <Stack gap="xs" role="status">
        {phase === "asking" && (
          <Alert color="blue" title="時間になりました">
            サーバーに確認しています。
            {!isConnected && !needsLogin && "つながるまで、このままお待ちください。"}
          </Alert>
        )}
        {phase === "over" && (
          <Alert color="blue" title="時間になりました">
            {unsent > 0 ? `時間内の答え${unsent}問を送っています。` : "提出しています。"}
          </Alert>
        )}
        {!isConnected && !needsLogin && phase === "running" && (
          <Alert color="gray" title="サーバーにつながっていません">
            そのまま答え続けてください。答えはこの端末に保存しています（未送信{unsent}
            問）。つながると自動で送ります。
          </Alert>
        )}
        {storage === "cleared" && (
          <Alert color="gray" title="この端末の記録が消えています">
            サーバーに保存されている答えを使って続けます。
          </Alert>
        )}
      </Stack>
      {needsLogin && (
        <Alert color="red" title="ログインの期限が切れました">
          <Text>
            そのまま答え続けられます。答えはこの端末に保存しています。ログインすると、サーバーに送ります。
          </Text>
          <Suspense fallback={null}>
            <LoginAgain session={session} />
          </Suspense>
        </Alert>
      )}
      {storage === "refused" && (
        <Alert color="red" title="この端末に保存できません">
          答えはすぐにサーバーへ送ります。「保存済み」と出るまで、この画面を閉じないでください。
        </Alert>
      )}
      {failure !== null && isConnected && (
        <Alert color="red" title="答えを送れません">
          {sentenceOf(failure)}（お問い合わせ番号：{failure.traceId}）
        </Alert>
      )}
    </Stack>
  );
}
