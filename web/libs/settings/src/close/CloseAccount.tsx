import { settings } from "../api";
import { paths } from "@konomana/paths";
import { leave } from "@konomana/session";
import { Button, Text, Panel } from "@konomana/ui-base";
import { useState } from "react";
import { PasswordOnce } from "../parts/PasswordOnce";

/** Explains what closing the account means, then asks for the password and closes it. */
export function CloseAccount() {
  const [sure, setSure] = useState(false);
  return (
    <>
      <Text>
        手続きをすると、すべての端末からログアウトします。30日のあいだは、ログインすればもとに戻せます。30日を過ぎると、つぎのとおりになります。
      </Text>
      <Panel as="dl" variant="tint" gap="sm" className="kn-facts">
        <div>
          <dt>消えるもの</dt>
          <dd>
            お名前、生年月日、住所、電話番号、メールアドレス、パスワード、保護者とのつながり、所有講座、学習と模試の記録、カートの中身。お支払いを待っている注文は、取り消します。消えたものは、もとに戻せません。
          </dd>
        </div>
        <div>
          <dt>残るもの</dt>
          <dd>
            ご購入の記録（講座、金額、日時、ご購入者のお名前、領収書の宛名）。税金についての法律で、7年のあいだ残すことになっているためです。どなたも見ることはできなくなります。
          </dd>
        </div>
      </Panel>
      <div>
        <Button variant="default" aria-expanded={sure} onClick={() => setSure(!sure)}>
          {sure ? "退会をやめる" : "退会の手続きに進む"}
        </Button>
      </div>
      {sure && (
        <>
          <Text bold>退会するには、いまのパスワードを入力してください。</Text>
          <PasswordOnce
            label="退会"
            send={settings.close}
            onDone={({ erase_at }) => leave(paths.closed(erase_at))}
            failed="退会できませんでした"
            submit="退会する"
            busy="手続きをしています…"
          />
        </>
      )}
    </>
  );
}
