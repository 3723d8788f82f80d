import { questionQuery, type Question } from "@konomana/api";
import { Loaded } from "@konomana/calls";
import { Head, LoadingState, Text, Title } from "@konomana/ui";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";

/** /lecture/{id}/question/{questionId}: one question of a lesson. */
export function Component() {
  const { questionId = "" } = useParams();
  const query = useQuery(questionQuery(questionId));
  return (
    <Loaded query={query} loading={<QuestionLoading />}>
      {(question) => <Asked question={question} />}
    </Loaded>
  );
}

function QuestionLoading() {
  return (
    <>
      <Head title="問題" />
      <LoadingState rows={2} height="10rem" />
    </>
  );
}

function Asked({ question }: { question: Question }) {
  return (
    <>
      <Head title={`問題${question.number}・${question.lesson.name}`} />
      <Title order={1} size="h3" mb="md">
        問題 {question.number} / {question.of}
      </Title>
      <Text>{question.prompt}</Text>
    </>
  );
}
