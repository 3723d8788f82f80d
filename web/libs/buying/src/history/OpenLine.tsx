import { useUsableItems } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { hasScope, useSession } from "@konomana/session";
import { TextLink } from "@konomana/ui-base";
import type { OrderLine } from "../api";

interface OpenLineProps {
  line: OrderLine;
}

/**
 * Links a line of a granted order to its exam or course, or to the child who has it. A refunded
 * line, and a course that can't be opened any more, has no link.
 */
export function OpenLine({
  line: { kind, course_id, exam_id, learner, name, refunded },
}: OpenLineProps) {
  const { user } = useSession();
  const item = useUsableItems().get(course_id ?? 0);
  if (refunded > 0 || learner.name === "") return null;
  if (learner.id !== user?.id)
    return kind === "course" && hasScope(user, "guardian") ? (
      <TextLink
        to={paths.child(learner.id)}
        aria-label={`${learner.name}さんの学習を見る（${name}）`}
      >
        {learner.name}さんの学習を見る
      </TextLink>
    ) : null;
  if (kind === "exam_seat" && exam_id !== null)
    return (
      <TextLink to={paths.mockExam(exam_id)} aria-label={`模試のページを開く（${name}）`}>
        模試のページを開く
      </TextLink>
    );
  if (kind === "course" && item !== undefined)
    return (
      <TextLink to={paths.ownedCourse(item)} aria-label={`学習ページを開く（${name}）`}>
        学習ページを開く
      </TextLink>
    );
  return null;
}
