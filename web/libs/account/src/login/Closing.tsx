import type { Credentials } from "@konomana/session";
import { entry } from "../api";
import { enter } from "@konomana/session";
import { Button, formatDateTime, showBlue, Text } from "@konomana/ui-base";
import { ActionButton } from "../parts/ActionButton";
import { EntryPage } from "../parts/EntryPage";

interface ClosingProps {
  credentials: Credentials;
  /** When the account is erased. `null` if the server did not send it. */
  eraseAt: string | null;
  onBack: () => void;
}

/** Shown after a sign-in to an account that is scheduled for closing: offers to reopen it. */
export function Closing({ credentials, eraseAt, onBack }: ClosingProps) {
  return (
    <EntryPage title="退会の手続き中です" takesFocus>
      <Text>
        このアカウントは、
        {eraseAt === null ? "まもなく" : <strong>{formatDateTime(eraseAt)}に</strong>}
        消えます。いまなら、もとのとおりにお使いいただけます。講座や学習の記録も残っています。
      </Text>
      <ActionButton
        label="退会をやめて、もう一度使う"
        busy="もとに戻しています…"
        failed="もとに戻せませんでした"
        call={() => entry.reopen(credentials)}
        onDone={async (tokens) => {
          showBlue("おかえりなさい。アカウントをもとに戻しました。");
          await enter(tokens);
        }}
      />
      <Button variant="default" onClick={onBack}>
        このまま退会する
      </Button>
    </EntryPage>
  );
}
