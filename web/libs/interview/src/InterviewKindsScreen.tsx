import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  CoverLink,
  Head,
  LoadingState,
  Note,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { type ChildId, interviewKindsQuery } from "./interviewCalls";
import { hideUnlinked, OfLearner } from "./OfLearner";

/** What each kind is for, by its id. */
const purposes: Readonly<Record<number, string>> = {
  1: "勉強の進め方や、苦手な教科、志望校の選び方について、先生と1対1で話します。",
  3: "生徒・保護者・先生の3人で、学習の様子と進路について話します。保護者の方と同じ画面でご参加ください。",
};

/** /mypage/interview/register: the kinds of interviews. */
export function InterviewKindsScreen() {
  return <OfLearner>{(child) => <Kinds child={child} />}</OfLearner>;
}

function Kinds({ child }: { child: ChildId }) {
  return (
    <Stack gap="lg">
      <Head title="面談を予約する" />
      <TextLink to={paths.interviews(child)}>← 面談</TextLink>
      <Title order={1} size="h2">
        面談を予約する
      </Title>
      <Text>どちらも無料です。話したい内容をえらんでください。</Text>
      <QueryBoundary
        query={hideUnlinked(useQuery(interviewKindsQuery(child)))}
        loading={<LoadingState rows={2} height="8rem" />}
      >
        {({ results }) => (
          <Stack as="ul" gap="sm" aria-label="面談の種類">
            {results.map(({ id, name, free_slots }) => (
              <Panel as="li" gap="xs" key={id}>
                <Title order={2} size="h4">
                  <CoverLink to={paths.interviewSlots(id, { child })}>{name}</CoverLink>
                </Title>
                <Text>{purposes[id]}</Text>
                <Note>
                  {free_slots === 0
                    ? "いまは空いている日時がありません。"
                    : `空いている日時：${free_slots}件`}
                </Note>
              </Panel>
            ))}
          </Stack>
        )}
      </QueryBoundary>
    </Stack>
  );
}
