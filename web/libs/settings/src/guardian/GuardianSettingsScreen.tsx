import { guardianLinksQuery, settings, type GuardianLink } from "../api";
import { ConfirmButton, QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  formatDate,
  LoadingState,
  showBlue,
  Text,
  TextLink,
  Group,
  TitledPanel,
  Lines,
} from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { SettingsPage } from "../parts/SettingsPage";
import { NewCode } from "./NewCode";

/**
 * /mypage/settings/guardian: the guardians with access to the learner's data, and a link to the
 * screen that they see.
 */
export function GuardianSettingsScreen() {
  const links = useQuery(guardianLinksQuery);
  return (
    <SettingsPage
      title="保護者とのつながり"
      intro="つながった保護者の方は、あなたの学習（最近14日間に見た時間、講座の進みぐあい、科目ごとの正答率など）、週間レポート（見た時間、終えたレッスンと答えた問題の数、クラスの授業への出席、次の週の授業の日時、宿題の提出期限と終えた数、模試の結果と予定）、予約したイベントと面談、あなたのために購入したもの、模試の予定と結果（点数、偏差値、順位、志望校の判定、問題ごとの答えと正誤）を見られます。ノート、確認問題に書いた答え、検索したことば、先生への質問は見られません。面談は、保護者の方も予約・変更・キャンセルができます。1対1の面談に参加したり、先生からのメモを見たりはできません。つながりはいつでも解除でき、解除するとすぐに見られなくなります。"
    >
      <QueryBoundary query={links} loading={<LoadingState rows={3} height="9rem" />}>
        {({ results }) => (
          <>
            <TitledPanel gap="md" title="保護者とつながる">
              <NewCode guardians={results.length} />
            </TitledPanel>
            <TitledPanel gap="md" title="つながっている保護者">
              <Guardians links={results} />
            </TitledPanel>
            <TitledPanel gap="sm" title="保護者の方に見えているもの">
              <Text>
                保護者の方と同じ画面を、あなたも見られます。いつ見られたかの記録もあります。
              </Text>
              <TextLink to={paths.guardianView()}>保護者に見えている画面と、見た記録</TextLink>
            </TitledPanel>
          </>
        )}
      </QueryBoundary>
    </SettingsPage>
  );
}

function Guardians({ links }: { links: readonly GuardianLink[] }) {
  if (links.length === 0) return <Text dimmed>つながっている保護者はいません。</Text>;
  return (
    <Lines>
      {links.map((link) => (
        <Group key={link.id} as="li" gap="0.5rem 1rem" justify="space-between">
          <div>
            <Text bold>{link.name}さん</Text>
            <Text size="sm" dimmed>
              {formatDate(link.since)}から
            </Text>
          </div>
          <Unlink link={link} />
        </Group>
      ))}
    </Lines>
  );
}

function Unlink({ link }: { link: GuardianLink }) {
  const queries = useQueryClient();
  const ending = useMutation({
    mutationFn: () => settings.unlink(link.id),
    onSuccess: async () => {
      await queries.invalidateQueries(guardianLinksQuery);
      showBlue("つながりを解除しました。");
    },
  });
  return (
    <ConfirmButton
      label="解除する"
      fullLabel={`${link.name}さんとのつながりを解除する`}
      title={`${link.name}さんとのつながりを解除しますか？`}
      yes="解除する"
      doing={ending}
    >
      {link.name}
      さんは、あなたの学習と模試の結果をすぐに見られなくなります。解除したことは、メールでお知らせします。もう一度つながるには、新しいコードが必要です。
    </ConfirmButton>
  );
}
