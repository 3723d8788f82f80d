import { type CourseFilters, paths } from "@konomana/paths";
import { EmptyState, ButtonLink } from "@konomana/ui-base";

/** No course matches the filters: suggests what to try. */
export function NothingFound({ filters: { q } }: { filters: CourseFilters }) {
  return (
    <EmptyState
      title="あてはまる講座がありません"
      action={
        <>
          <ButtonLink to={paths.courses()} pill>
            すべての講座を見る
          </ButtonLink>
          {q !== undefined && (
            <ButtonLink to={paths.search({ q })} variant="default" pill>
              レッスンや先生からも「{q}」をさがす
            </ButtonLink>
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
