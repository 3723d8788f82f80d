import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  Alert,
  ButtonLink,
  formatPeriod,
  Group,
  Head,
  LoadingState,
  Panel,
  Stack,
  Text,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { InterviewCalendarButton } from "./InterviewCalendarButton";
import { canJoin, type ChildId, interviewQuery } from "./interviewCalls";
import { hideUnlinked, OfLearner } from "./OfLearner";

/** /mypage/interview/register/complete/{id}: the booked interview, and how to join. */
export function InterviewBookedScreen() {
  return <OfLearner>{(child) => <Booked child={child} />}</OfLearner>;
}

function Booked({ child }: { child: ChildId }) {
  const { interview: id = "" } = useParams();
  return (
    <Stack gap="lg">
      <Head title="面談の予約" />
      <QueryBoundary
        query={hideUnlinked(useQuery(interviewQuery(id, child)))}
        loading={<LoadingState rows={2} height="8rem" />}
      >
        {(interview) => (
          <>
            <Title order={1} size="h2">
              {interview.is_cancelled ? "この予約は取り消されています" : "面談を予約しました"}
            </Title>
            <Panel gap="xs">
              <Text bold>{formatPeriod(interview)}</Text>
              <Text>
                {interview.kind_name}・{interview.teacher}先生
              </Text>
              {!interview.is_cancelled && (
                <Group actions mt="xs">
                  <InterviewCalendarButton interview={interview} child={child} />
                </Group>
              )}
            </Panel>
            {interview.is_cancelled ? (
              <Alert color="gray">ほかの日時は、「面談」のページから予約できます。</Alert>
            ) : (
              <TitledPanel title="参加のしかた" gap="sm">
                <Stack as="ul" gap="xs">
                  {canJoin(interview.kind, child) ? (
                    <>
                      <li>
                        開始の10分前から、「面談」のページに「面談に参加する」ボタンが出ます。
                      </li>
                      <li>カメラとマイクが使えるスマートフォンかパソコンでご参加ください。</li>
                    </>
                  ) : (
                    <li>
                      お子さまと先生の1対1の面談です。参加のボタンは、お子さまの画面だけに出ます。
                    </li>
                  )}
                  <li>日時の変更とキャンセルは、開始の24時間前まで「面談」のページでできます。</li>
                  <li>
                    {child === undefined
                      ? "予約の内容は、メールでもお送りしました。"
                      : "予約の内容は、お子さまと保護者の方に、メールでもお送りしました。"}
                  </li>
                </Stack>
              </TitledPanel>
            )}
            <Group actions>
              <ButtonLink to={paths.interviews(child)}>面談のページへ</ButtonLink>
            </Group>
          </>
        )}
      </QueryBoundary>
    </Stack>
  );
}
