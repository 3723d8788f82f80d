import { useStore } from "@konomana/browser";
import { sentenceOf } from "@konomana/http";
import { Alert, Stack } from "@konomana/ui-base";
import type { SittingSession } from "../protocol/SittingSession";
import styles from "./questions.module.css";

/** Warnings about the time, the connection and the device's storage. */
export function SittingState({ session }: { session: SittingSession }) {
  const { phase, unsent, isConnected, storage, failure } = useStore(session.state);
  return (
    <Stack gap="xs" className={styles.state}>
      <Stack gap="xs" role="status">
        {phase === "asking" && (
          <Alert color="blue" title="時間になりました">
            サーバーに確認しています。{!isConnected && "つながるまで、このままお待ちください。"}
          </Alert>
        )}
        {phase === "over" && (
          <Alert color="blue" title="時間になりました">
            {unsent > 0 ? `時間内の答え${unsent}問を送っています。` : "提出しています。"}
          </Alert>
        )}
        {!isConnected && phase === "running" && (
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
