import { catalogueKeys } from "../api";
import { useStaleWhileRevalidate } from "@konomana/query";
import { paths } from "@konomana/paths";
import { Pager, Grid, Page, VisuallyHidden } from "@konomana/ui-base";
import { useLoaderData } from "react-router";
import type { TeacherList } from "../data/courseData";
import { newest } from "../data/catalogueSource";
import { TeacherCard } from "./TeacherCard";

/** All teachers, ordered by kana. */
export function TeacherListScreen() {
  const loaded = useLoaderData<TeacherList>();
  const { page, pages, teachers } = useStaleWhileRevalidate(
    loaded.page === 1 ? catalogueKeys.teachers : null,
    loaded,
    (signal) => newest.teachers(1, signal),
  );
  return (
    <Page
      title="先生の紹介"
      description="コノマナで教えている先生を紹介します。担当の教科、生徒のみなさんへのメッセージ、受け持っている講座をご覧いただけます。"
      lead="どの先生も、つまずくところをよく知っています。気になる先生の講座から始めるのも、よい選び方です。"
    >
      <VisuallyHidden as="h2">先生の一覧</VisuallyHidden>
      <Grid as="ul" min="26rem" gap="lg">
        {teachers.map((teacher) => (
          <li key={teacher.id}>
            <TeacherCard teacher={teacher} />
          </li>
        ))}
      </Grid>
      <Pager page={page} pages={pages} hrefFor={(number) => paths.teachers(number)} />
    </Page>
  );
}
