import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  ButtonLink,
  formatDateTime,
  Group,
  Head,
  LoadingState,
  Panel,
  Stack,
  Text,
  Title,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useParams } from "react-router";
import { type Sheet, sheetQuery } from "../api";
import { ReceiptPanel } from "../receipt/ReceiptPanel";

/**
 * /mypage/mockexam/{id}/success: completed subjects, the next step, and the date of the results.
 */
export function SuccessScreen() {
  const exam = Number(useParams()["id"]);
  const query = useQuery(sheetQuery(exam));
  return (
    <>
      <Head title="受験おつかれさまでした" />
      <QueryBoundary query={query} loading={<LoadingState rows={2} height="12rem" />}>
        {(sheet) =>
          sheet.papers.some(({ state }) => state === "handed_in") ? (
            <Done sheet={sheet} />
          ) : (
            <Navigate to={paths.mockExam(exam)} replace />
          )
        }
      </QueryBoundary>
    </>
  );
}

function Done({ sheet: { exam, papers } }: { sheet: Sheet }) {
  const open = papers.filter(({ state }) => state !== "handed_in");
  const [next] = open;
  const handedIn = papers.flatMap(({ sitting_id, subject, state }) =>
    sitting_id === null || state !== "handed_in" ? [] : [{ sitting: sitting_id, subject }],
  );
  return (
    <Stack gap="lg">
      <Title order={1} size="h2">
        {next === undefined ? "すべての教科を提出しました" : "おつかれさまでした"}
      </Title>
      <Panel as="section" gap="xs" aria-label="これから">
        {next === undefined ? (
          <Text>{exam.name}の受験は、これで終わりです。</Text>
        ) : (
          <Text>
            のこりの教科は{open.map(({ subject }) => subject).join("、")}です。
            {formatDateTime(exam.ends_at)}までに受けてください。
          </Text>
        )}
        <Text>
          確定した結果は、<strong>{formatDateTime(exam.results_at)}</strong>
          までに、模試の結果のページに出ます。確定すると、メールでもお知らせします。
        </Text>
      </Panel>
      <ReceiptPanel handedIn={handedIn} />
      <Group actions>
        {next !== undefined && (
          <ButtonLink size="lg" to={paths.examSitting(exam.id, { paper: next.paper_id })}>
            次の教科「{next.subject}」へ
          </ButtonLink>
        )}
        <ButtonLink to={paths.examResult(exam.id)} variant="default">
          結果を見る
        </ButtonLink>
        <ButtonLink to={paths.mockExam(exam.id)} variant="default">
          模試のページにもどる
        </ButtonLink>
      </Group>
    </Stack>
  );
}
