import { type CourseFilters, paths } from "@konomana/paths";
import { Button, EmptyState } from "@konomana/ui";
import { Link } from "react-router";

/** No course meets the conditions: what to try. */
export function NothingFound({ filters: { q } }: { filters: CourseFilters }) {
  return (
    <EmptyState
      title="あてはまる講座がありません"
      action={
        <>
          <Button component={Link} to={paths.courses()} size="md" radius="xl">
            すべての講座を見る
          </Button>
          {q !== undefined && (
            <Button
              component={Link}
              to={paths.search({ q })}
              variant="default"
              size="md"
              radius="xl"
            >
              レッスンや先生からも「{q}」をさがす
            </Button>
          )}
        </>
      }
    >
      {q === undefined
        ? "上の条件をひとつ外すと、見つかるかもしれません。"
        : "言葉を短くするか、ひらがなにするか、上の条件をひとつ外すと、見つかるかもしれません。"}
    </EmptyState>
  );
}
