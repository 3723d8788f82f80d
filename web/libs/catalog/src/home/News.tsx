import { paths } from "@konomana/paths";
import { formatDate, Grid, Note } from "@konomana/ui-base";
import { Link } from "react-router";
import type { HomeData } from "../data/home";
import styles from "./News.module.css";

/** What is new at the school, and which exams are next. */
export function News({ home: { notices, exams } }: { home: HomeData }) {
  return (
    <Grid min="22rem" fill gap="clamp(2rem, 5vw, 3rem)" className={styles.news}>
      <section aria-labelledby="notices">
        <h2 id="notices">お知らせ</h2>
        <ul>
          {notices.map(({ id, category, title, published_at }) => (
            <li key={id}>
              <p>
                <time dateTime={published_at}>{formatDate(published_at)}</time>
                <span>{category}</span>
              </p>
              <Link to={paths.notice(id)}>{title}</Link>
            </li>
          ))}
        </ul>
        <Link className={styles.more} to={paths.notices()}>
          お知らせをすべて見る
        </Link>
      </section>
      <section aria-labelledby="exams">
        <h2 id="exams">これからの高校入試</h2>
        {exams.length === 0 ? (
          <Note size="md">今年度の入試は終わりました。</Note>
        ) : (
          <ul>
            {exams.map(({ id, prefecture, name, exam_on }) => (
              <li key={id}>
                <p>
                  <time dateTime={exam_on}>{formatDate(exam_on)}</time>
                  <span>{prefecture}</span>
                </p>
                <Link to={paths.entryExam(prefecture)}>{name}</Link>
              </li>
            ))}
          </ul>
        )}
        <Link className={styles.more} to={paths.entryExam()}>
          入試日程をすべて見る
        </Link>
      </section>
    </Grid>
  );
}
