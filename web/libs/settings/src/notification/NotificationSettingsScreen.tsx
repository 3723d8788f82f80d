import { QueryBoundary } from "@konomana/query";
import { Alert, LoadingState, Text, TextLink, TitledPanel } from "@konomana/ui-base";
import { paths } from "@konomana/paths";
import { useQuery } from "@tanstack/react-query";
import { notificationsQuery } from "../api";
import { SettingsPage } from "../parts/SettingsPage";
import { PushDevices } from "./PushDevices";
import { QuietHours } from "./QuietHours";
import { Topics } from "./Topics";

/** /mypage/settings/notification: topics, push devices and quiet hours. Each change is saved at once. */
export function NotificationSettingsScreen() {
  const settings = useQuery(notificationsQuery);
  return (
    <SettingsPage
      title="お知らせの受け取り"
      intro="受け取るお知らせを選べます。変えると、すぐに保存されます。"
    >
      <QueryBoundary query={settings} loading={<LoadingState rows={4} height="4rem" />}>
        {(current) => (
          <>
            {current.mail_bounced_at !== null && <Bounced />}
            <TitledPanel gap="md" title="受け取るお知らせ">
              <Topics settings={current} />
              <Text size="sm" dimmed>
                お申し込みの受け付け、お支払い、アカウントの安全、保護者の方の同意についてのメールは、いつも届きます。
              </Text>
            </TitledPanel>
            {current.push_key !== null && (
              <PushDevices pushKey={current.push_key} devices={current.push_devices} />
            )}
            <TitledPanel gap="md" title="受け取らない時間">
              <QuietHours settings={current} />
            </TitledPanel>
          </>
        )}
      </QueryBoundary>
    </SettingsPage>
  );
}

function Bounced() {
  return (
    <Alert color="red" title="メールが届いていません" role="status">
      最近お送りしたメールを、登録されているアドレスで受け取れませんでした。
      <TextLink to={paths.settingsEmail()} inline>
        メールアドレス
      </TextLink>
      をお確かめください。
    </Alert>
  );
}
