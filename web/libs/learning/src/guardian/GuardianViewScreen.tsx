import { guardianViewsQuery, ownOverviewQuery, ownWeeklyReport } from "../api";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { Head, LoadingState, Stack, Text, TextLink, Title, TitledPanel } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { GuardianViews } from "./GuardianViews";
import { LearnerOverview } from "./LearnerOverview";

/**
 * /mypage/guardian-view: what linked guardians see of the learner, from the same data and the same
 * component, and when they looked.
 */
export function GuardianViewScreen() {
  return (
    <Stack gap="lg">
      <Head title="保護者に見えている画面" />
      <TextLink to={paths.settingsGuardian()}>← 保護者とのつながりにもどる</TextLink>
      <div>
        <Title order={1} size="h2">
          保護者に見えている画面
        </Title>
        <Text mt="xxs">
          つながっている保護者の方には、次の内容が見えています。模試の結果は、ここから開ける結果と同じものが見えます。ノート、確認問題に書いた答え、検索したことば、先生への質問は見えません。面談は、保護者の方も「面談」と同じ画面で予約・変更・キャンセルができます（1対1の面談の、参加のボタンと先生からのメモは見えません）。いちばん下の「保護者の方が見た記録」は、あなただけに見えます。
        </Text>
      </div>
      <QueryBoundary
        part
        query={useQuery(ownOverviewQuery)}
        loading={<LoadingState rows={3} height="9rem" />}
      >
        {(overview) => (
          <LearnerOverview
            overview={overview}
            examResult={(exam) => paths.examResult(exam)}
            loadReport={ownWeeklyReport}
          />
        )}
      </QueryBoundary>
      <TitledPanel title="保護者の方が見た記録" gap="md">
        <QueryBoundary
          part
          query={useQuery(guardianViewsQuery)}
          loading={<LoadingState rows={1} height="6rem" />}
        >
          {(views) => <GuardianViews views={views} />}
        </QueryBoundary>
      </TitledPanel>
    </Stack>
  );
}
