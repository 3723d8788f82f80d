import { type ReviewPage, reviewQuery } from "../api";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { TexText } from "@konomana/question";
import { ButtonLink, LoadingState, Text, Title, Panel, TextLink, Lines } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** 復習: questions due for review after a wrong answer. */
export function Review() {
  const query = useQuery(reviewQuery());
  const section = useRef<HTMLElement>(null);
  const here = useLocation().hash === "#review";

  // The list arrives after navigation, so the browser can't have scrolled to it.
  useEffect(() => {
    if (here) section.current?.scrollIntoView({ block: "start" });
  }, [here]);

  return (
    <Panel
      ref={section}
      id="review"
      as="section"

      aria-labelledby="review-title"
    >
      <Title order={2} size="h4" id="review-title" mb="xs">
        復習
      </Title>
      <QueryBoundary query={query} loading={<LoadingState rows={2} height="3.5rem" />}>
        {(list) => <Due list={list} />}
      </QueryBoundary>
    </Panel>
  );
}

function Due({ list }: { list: ReviewPage }) {
  const [first] = list.results;
  if (first === undefined)
    return (
      <Text dimmed>
        いま復習する問題はありません。まちがえた問題は、1日後、3日後、7日後、14日後にここに出ます。
      </Text>
    );
  const rest = list.count - list.results.length;
  return (
    <>
      <Text mb="sm">まちがえた問題が{list.count}問、復習を待っています。</Text>
      <ButtonLink
        pill
        to={paths.question(first.lesson.id, first.question_id, { review: true })}
        size="lg"
      >
        復習を始める
      </ButtonLink>
      <Lines>
        {list.results.map(({ question_id, prompt, lesson, course }) => (
          <li key={question_id}>
            <TextLink strong to={paths.question(lesson.id, question_id, { review: true })}>
              <TexText>{prompt}</TexText>
            </TextLink>
            <Text size="sm" dimmed>
              {course.name}・{lesson.name}
            </Text>
          </li>
        ))}
      </Lines>
      {rest > 0 && (
        <Text size="sm" dimmed>
          ほかに{rest}問あります。復習を進めると、順に出ます。
        </Text>
      )}
    </>
  );
}
