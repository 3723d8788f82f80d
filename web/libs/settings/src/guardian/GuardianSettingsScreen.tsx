import { guardianLinksQuery, settings, type GuardianLink, type GuardianView } from "../api";
import { ConfirmButton, QueryBoundary } from "@konomana/query";
import {
  formatDate,
  formatDateTime,
  LoadingState,
  showBlue,
  Text,
  Group,
  TitledPanel,
  Lines,
} from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { SettingsPage } from "../parts/SettingsPage";
import { NewCode } from "./NewCode";

/** The data that a guardian can view. */
const things: Readonly<Record<string, string>> = {
  progress: "学習の進みぐあい",
  exam_result: "模試の結果",
};

/**
 * /mypage/settings/guardian: the guardians with access to the learner's progress and exam results,
 * and their views.
 */
export function GuardianSettingsScreen() {
  const links = useQuery(guardianLinksQuery);
  return (
    <SettingsPage
      title="保護者とのつながり"
      intro="つながった保護者の方は、あなたの講座の進みぐあい（この7日間に学習した時間、学習済みのレッスンの数、次のレッスン、復習する問題の数、最後に学習した日、期限）と、模試の結果（点数、偏差値、順位、志望校の判定、問題ごとの答えと正誤）を見られます。つながりは、いつでも解除できます。"
    >
      <QueryBoundary query={links} loading={<LoadingState rows={3} height="9rem" />}>
        {({ results, views }) => (
          <>
            <TitledPanel gap="md" title="保護者とつながる">
              <NewCode guardians={results.length} />
            </TitledPanel>
            <TitledPanel gap="md" title="つながっている保護者">
              <Guardians links={results} />
            </TitledPanel>
            <TitledPanel gap="md" title="保護者の方が見た記録">
              <Views views={views} />
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
      さんは、あなたの進みぐあいと模試の結果を見られなくなります。もう一度つながるには、新しいコードが必要です。
    </ConfirmButton>
  );
}

function Views({ views }: { views: readonly GuardianView[] }) {
  if (views.length === 0) return <Text dimmed>まだ見られていません。</Text>;
  return (
    <Lines>
      {views.map((view) => (
        <Group
          key={`${view.at} ${view.name} ${view.what}`}
          as="li"
          gap="0.5rem 1rem"
          justify="space-between"
        >
          <Text>
            {view.name}さん：{things[view.what] ?? view.what}
          </Text>
          <Text size="sm" dimmed>
            {formatDateTime(view.at)}
          </Text>
        </Group>
      ))}
    </Lines>
  );
}
