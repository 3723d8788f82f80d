import { paths } from "@konomana/paths";
import { ConfirmButton, QueryBoundary } from "@konomana/query";
import {
  Alert,
  Badge,
  ButtonLink,
  EmptyState,
  formatDateTime,
  formatPeriod,
  Group,
  Head,
  LoadingState,
  Note,
  Panel,
  showBlue,
  Stack,
  Text,
  TextLink,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { InterviewCalendarButton } from "./InterviewCalendarButton";
import {
  canJoin,
  cancelInterview,
  type ChildId,
  type Interview,
  interviewKey,
  type Interviews,
  interviewsQuery,
} from "./interviewCalls";
import { hideUnlinked, OfLearner } from "./OfLearner";
import styles from "./interview.module.css";

/**
 * /mypage/interview: the learner's interviews, with the link to join and the teacher's notes; for a
 * guardian, those of a child.
 */
export function InterviewsScreen() {
  return <OfLearner>{(child) => <List key={child} child={child} />}</OfLearner>;
}

function List({ child }: { child: ChildId }) {
  const query = hideUnlinked(useQuery(interviewsQuery(child)));
  const name = query.data?.child_name;
  const title = name ? `${name}さんの面談` : "面談";
  return (
    <Stack gap="lg">
      <Head title={title} />
      {child !== undefined && <TextLink to={paths.child(child)}>← お子さまの学習にもどる</TextLink>}
      <Title order={1} size="h2">
        {title}
      </Title>
      {child !== undefined && (
        <Text>
          お子さまも、同じ予約を見て、変更やキャンセルができます。ご覧になったことは、お子さまの画面に記録されます。
        </Text>
      )}
      <Text>先生とオンラインで話せます。予約とキャンセルは、開始の24時間前までです。</Text>
      <QueryBoundary query={query} loading={<LoadingState rows={2} height="9rem" />}>
        {(interviews) => (
          <>
            <Booking interviews={interviews} child={child} />
            {interviews.upcoming.length === 0 ? (
              <EmptyState title="予約した面談はありません">
                {child === undefined
                  ? "学習の進め方や進路について、先生に相談してみましょう。"
                  : "三者面談では、お子さまの学習と進路について、先生と3人で話せます。"}
              </EmptyState>
            ) : (
              <Stack as="ul" gap="sm" aria-label="これからの面談">
                {interviews.upcoming.map((interview) => (
                  <Upcoming key={interview.id} interview={interview} child={child} />
                ))}
              </Stack>
            )}
            {interviews.past.length > 0 && <Past interviews={interviews.past} />}
          </>
        )}
      </QueryBoundary>
      {child === undefined && (
        <TextLink to={paths.settingsCalendar()} className="kn-start">
          予定をまとめてカレンダーに登録する
        </TextLink>
      )}
    </Stack>
  );
}

/** The way to book, or why booking is not possible. */
function Booking({ interviews, child }: { interviews: Interviews; child: ChildId }) {
  const { upcoming, upcoming_limit, paused_until } = interviews;
  if (paused_until !== null)
    return (
      <Alert color="gray" title="予約をお休みしています">
        面談の欠席が続いたため、{formatDateTime(paused_until)}まで予約できません。
      </Alert>
    );
  if (upcoming.length >= upcoming_limit)
    return (
      <Note>
        同時に予約できるのは{upcoming_limit}
        件までです。面談が終わるか、キャンセルすると、また予約できます。
      </Note>
    );
  return (
    <Group actions>
      <ButtonLink to={paths.interviewKinds(child)}>面談を予約する</ButtonLink>
    </Group>
  );
}

function Upcoming({ interview, child }: { interview: Interview; child: ChildId }) {
  const { id, kind, kind_name, teacher, can_cancel, join_url } = interview;
  const queries = useQueryClient();
  const cancelling = useMutation({
    mutationFn: () => cancelInterview(id, child),
    onSuccess: () => showBlue("面談をキャンセルしました。"),
    // Also after a failure: the link to the child may have ended.
    onSettled: () => queries.invalidateQueries({ queryKey: interviewKey }),
  });
  const period = formatPeriod(interview);
  return (
    <Panel as="li" gap="sm">
      <Title order={2} size="h4">
        {period}
      </Title>
      <Text>
        {kind_name}・{teacher}先生
      </Text>
      {join_url === null ? (
        <Note>{howToJoin(kind, child)}</Note>
      ) : (
        <Group actions>
          <ButtonLink to={join_url} target="_blank" rel="noreferrer">
            面談に参加する
          </ButtonLink>
        </Group>
      )}
      <Group actions gap="sm">
        <InterviewCalendarButton interview={interview} child={child} />
        {can_cancel && (
          <>
            <ButtonLink
              variant="default"
              to={paths.interviewSlots(kind, { change: id, child })}
              aria-label={`${period}の面談の日時を変える`}
            >
              日時を変える
            </ButtonLink>
            <ConfirmButton
              label="キャンセルする"
              fullLabel={`${period}の面談をキャンセルする`}
              title="この面談をキャンセルしますか？"
              yes="キャンセルする"
              doing={cancelling}
            >
              {period}の{kind_name}（{teacher}先生）を取り消します。
            </ConfirmButton>
          </>
        )}
      </Group>
      {!can_cancel && <Note>開始まで24時間をきったため、変更とキャンセルはできません。</Note>}
    </Panel>
  );
}

/** When the button to join comes. */
function howToJoin(kind: number, child: ChildId): string {
  return canJoin(kind, child)
    ? "開始の10分前になると、ここに参加のボタンが出ます。"
    : "お子さまと先生の1対1の面談です。参加のボタンと先生からのメモは、お子さまの画面だけに出ます。";
}

function Past({ interviews }: { interviews: readonly Interview[] }) {
  return (
    <TitledPanel title="これまでの面談" gap="md">
      <Stack as="ul" gap="md">
        {interviews.map((interview) => (
          <li key={interview.id}>
            <Group gap="sm">
              <Text bold>{formatPeriod(interview)}</Text>
              {interview.is_missed && <Badge color="gray">欠席</Badge>}
            </Group>
            <Note>
              {interview.kind_name}・{interview.teacher}先生
            </Note>
            {interview.feedback !== "" && (
              <Panel variant="tint" mt="xs">
                <Text bold>先生からのメモ</Text>
                <Text className={styles.feedback}>{interview.feedback}</Text>
              </Panel>
            )}
          </li>
        ))}
      </Stack>
    </TitledPanel>
  );
}
