import { paths } from "@konomana/paths";
import { ButtonLink, Text } from "@konomana/ui-base";

/** On my page, a link to the exam questions that are due. */
export function ExamReviewsDue({ count }: { count: number }) {
  return (
    <>
      <Text>模試でまちがえた問題が{count}問、復習を待っています。</Text>
      <ButtonLink variant="default" to={paths.examReviews()} fullWidth>
        模試の{count}問を復習する
      </ButtonLink>
    </>
  );
}
