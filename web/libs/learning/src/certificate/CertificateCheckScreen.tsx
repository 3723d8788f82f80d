import { Page, Stack, Text, TitledPanel } from "@konomana/ui-base";
import { CertificateIdForm } from "./CertificateIdForm";

/** /certificate: where anyone enters the number of a certificate. */
export function CertificateCheckScreen() {
  return (
    <Page
      title="修了証を確かめる"
      description="コノマナの講座の修了証が本物かどうかを、証明書番号から確かめるページです。どなたでも、登録なしでお使いいただけます。"
      lead="コノマナの講座を修了した人に、修了証をお渡ししています。このページでは、それが本物かどうかを、どなたでも確かめられます。"
      narrow
    >
      <Stack gap="lg">
        <CertificateIdForm title="証明書番号を入力する" />
        <TitledPanel title="確かめられること" gap="sm">
          <Text>
            修了証が有効なときは、講座の名前と発行日を表示します。修了した人の名前は、本人が公開しているときだけ表示します。
          </Text>
          <Text>
            修了証は、講座のすべてのレッスンを学び、確認問題の70%以上に正解した人が受け取れます。講座の内容があとから変わっても、受講の期限が過ぎても、有効です。
          </Text>
        </TitledPanel>
      </Stack>
    </Page>
  );
}
