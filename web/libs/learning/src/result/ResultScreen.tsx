import { resultQuery, type Result } from "@konomana/api";
import { Loaded } from "@konomana/calls";
import { Head, LoadingState, Text, Title } from "@konomana/ui";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";

/** /lecture/{id}/result/{resultId}: how one round of questions went. */
export function Component() {
  const { resultId = "" } = useParams();
  const query = useQuery(resultQuery(resultId));
  return (
    <Loaded query={query} loading={<ResultLoading />}>
      {(result) => <Round result={result} />}
    </Loaded>
  );
}

function ResultLoading() {
  return (
    <>
      <Head title="結果" />
      <LoadingState rows={2} height="10rem" />
    </>
  );
}

function Round({ result }: { result: Result }) {
  return (
    <>
      <Head title={`結果・${result.lesson.name}`} />
      <Title order={1} size="h2" mb="md">
        {result.lesson.name}の結果
      </Title>
      <Text>
        {result.question_count}問中 {result.right_count}問正解
      </Text>
    </>
  );
}
