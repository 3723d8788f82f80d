import { useNewest } from "@konomana/calls";
import { paths } from "@konomana/paths";
import { Button, EmptyState, Head, Pager } from "@konomana/ui";
import { Link, useLoaderData, useNavigation } from "react-router";
import type { CourseList } from "../data/catalogue";
import { newestList } from "../data/source";
import { CourseCards } from "./CourseCard";
import styles from "./CourseListScreen.module.css";
import { Filters } from "./Filters";

/** The catalogue, narrowed by what the address says. */
export function Component() {
  const loaded = useLoaderData<CourseList>();
  // A narrowed list comes from the API already.
  const isWhole = paths.courses(loaded.filters) === paths.courses();
  const { filters, count, pages, courses } = useNewest(
    isWhole ? ["course", "newest"] : null,
    loaded,
    (signal) => newestList(loaded.filters, signal),
  );
  const loading = useNavigation().state === "loading";
  const narrowed = [filters.school_year, filters.category].filter((word) => word !== undefined);
  const title = narrowed.length === 0 ? "講座をさがす" : `${narrowed.join(" ")}の講座`;
  return (
    <div className={styles.screen}>
      <Head
        title={title}
        description="コノマナの講座一覧です。中学1年生から高校3年生まで、学年と教科から講座をさがせます。"
      />
      <h1>{title}</h1>
      <Filters filters={filters} />
      <p className={styles.count} role="status">
        {count}講座
      </p>
      <div className={styles.results} aria-busy={loading} data-loading={loading || undefined}>
        {courses.length === 0 ? (
          <EmptyState
            title="あてはまる講座がありません"
            action={
              <Button component={Link} to={paths.courses()} variant="default" size="md">
                すべての講座を見る
              </Button>
            }
          >
            学年か教科のどちらかを「すべて」にすると、見つかるかもしれません。
          </EmptyState>
        ) : (
          <>
            <h2 className={styles.hidden}>講座の一覧</h2>
            <CourseCards courses={courses} />
          </>
        )}
      </div>
      <Pager
        page={filters.page ?? 1}
        pages={pages}
        hrefFor={(page) => paths.courses({ ...filters, page })}
      />
    </div>
  );
}
