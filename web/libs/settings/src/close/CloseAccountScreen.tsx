import { saveFile } from "@konomana/browser";
import { settings } from "../api";
import { showBlue, Text, TitledPanel } from "@konomana/ui-base";
import { PasswordOnce } from "../parts/PasswordOnce";
import { SettingsPage } from "../parts/SettingsPage";
import { CloseAccount } from "./CloseAccount";

/** /mypage/settings/close: downloading the person's data, and closing the account. */
export function CloseAccountScreen() {
  return (
    <SettingsPage title="データと退会">
      <TitledPanel gap="md" title="自分のデータをダウンロードする">
        <Text>
          登録した内容、ログイン中の端末、保護者とのつながり、学習の記録、カート、ご注文などを、1つのファイル（JSON形式）で受け取れます。
        </Text>
        <PasswordOnce
          label="データのダウンロード"
          send={settings.exportData}
          onDone={(data) => {
            saveFile(
              "konomana.json",
              new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }),
            );
            showBlue("データをダウンロードしました。");
          }}
          failed="ダウンロードできませんでした"
          submit="ダウンロードする"
          busy="集めています…"
        />
      </TitledPanel>
      <TitledPanel gap="md" title="退会する">
        <CloseAccount />
      </TitledPanel>
    </SettingsPage>
  );
}
