import { useNewest } from "@konomana/calls";
import { paths } from "@konomana/paths";
import { Head, Pager, Grid } from "@konomana/ui-base";
import { useLoaderData } from "react-router";
import type { TeacherList } from "../data/courseData";
import { newest } from "../data/catalogueSource";
import { TeacherCard } from "./TeacherCard";
import styles from "./teacher.module.css";

/** Everybody who teaches here, by the sound of their names. */
export function TeacherListScreen() {
  const loaded = useLoaderData<TeacherList>();
  const { page, pages, teachers } = useNewest(
    loaded.page === 1 ? ["teacher", "list"] : null,
    loaded,
    (signal) => newest.teachers(1, signal),
  );
  return (
    <div className={styles.screen}>
      <Head
        title="先生の紹介"
        description="コノマナで教えている先生を紹介します。担当の教科、生徒のみなさんへのメッセージ、受け持っている講座をご覧いただけます。"
      />
      <h1>先生の紹介</h1>
      <p className={styles.lead}>
        どの先生も、つまずくところをよく知っています。気になる先生の講座から始めるのも、よい選び方です。
      </p>
      <h2 className={styles.hidden}>先生の一覧</h2>
      <Grid as="ul" min="26rem" gap="lg" className={styles.teachers}>
        {teachers.map((teacher) => (
          <li key={teacher.id}>
            <TeacherCard teacher={teacher} />
          </li>
        ))}
      </Grid>
      <Pager page={page} pages={pages} hrefFor={(number) => paths.teachers(number)} />
    </div>
  );
}
