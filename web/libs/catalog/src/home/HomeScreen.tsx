import { useNewest } from "@konomana/calls";
import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { ButtonLink, formatDuration, Head } from "@konomana/ui";
import { useLoaderData } from "react-router";
import { CourseArt } from "@konomana/ui/art";
import type { HomeData } from "../data/catalogue";
import { newestHome } from "../data/source";
import { CourseCards } from "../list/CourseCard";
import styles from "./HomeScreen.module.css";
import { Shelves } from "./Shelves";
import { Steps } from "./Steps";
import { Welcome } from "./Welcome";

/** The front page: what コノマナ is, for whom, and the way to the courses. */
export function Component() {
  const home = useNewest(["home"], useLoaderData<HomeData>(), newestHome);
  return (
    <>
      <Head description="コノマナは、中学生・高校生のためのオンライン学習サービスです。学年と教科から講座をえらび、短いレッスンをひとつずつ、自分のペースで進められます。" />
      <Hero home={home} />
      <section className={styles.section} aria-labelledby="shelves">
        <h2 id="shelves">学年と教科からさがす</h2>
        <p className={styles.lead}>
          いまの学年でも、前の学年の復習でも。気になるところから始められます。
        </p>
        <Shelves shelves={home.shelves} />
      </section>
      <section className={styles.section} aria-labelledby="featured">
        <h2 id="featured">講座を見てみる</h2>
        <p className={styles.lead}>どの講座も、始める前に中身をすべて確かめられます。</p>
        <CourseCards courses={home.featured} />
        <p className={styles.more}>
          <ButtonLink to={paths.courses()} variant="default" size="lg">
            {home.count}講座をすべて見る
          </ButtonLink>
        </p>
      </section>
      <Steps />
      <Welcome />
      <section className={styles.closing} aria-labelledby="closing">
        <h2 id="closing">まずは、どんなレッスンがあるか見てみませんか。</h2>
        <p>講座の中身は、ログインしなくてもご覧いただけます。</p>
        <p className={styles.calls}>
          <StartButton />
          <ButtonLink to={paths.courses()} size="xl" variant="default">
            講座を見る
          </ButtonLink>
        </p>
      </section>
    </>
  );
}

/** The one call of this page: to begin; for who has begun already, to go on. */
function StartButton() {
  const { loggedIn } = useSession();
  const to = loggedIn ? paths.mypage() : paths.signup();
  return (
    <ButtonLink to={to} size="xl">
      {loggedIn ? "マイページへ" : "無料で登録する"}
    </ButtonLink>
  );
}

function Hero({ home }: { home: HomeData }) {
  const lesson = Math.round(home.duration_sum / Math.max(1, home.lesson_count) / 60);
  return (
    <div className={styles.hero}>
      <div className={styles.heroText}>
        <p className={styles.eyebrow}>中学生・高校生のオンライン学習</p>
        <h1>
          「わかった」を、
          <br />
          ひとつずつ。
        </h1>
        <p className={styles.promise}>
          1本およそ{lesson}
          分の短いレッスンを、順番に。苦手なところから、自分のペースで進められる講座がそろっています。
        </p>
        <p className={styles.calls}>
          <StartButton />
          <ButtonLink to={paths.courses()} size="xl" variant="default">
            講座を見る
          </ButtonLink>
        </p>
        <dl className={styles.figures}>
          <div>
            <dt>講座</dt>
            <dd>
              {home.count}
              <small>講座</small>
            </dd>
          </div>
          <div>
            <dt>レッスン</dt>
            <dd>
              {home.lesson_count}
              <small>本</small>
            </dd>
          </div>
          <div>
            <dt>合計</dt>
            <dd>{formatDuration(home.duration_sum)}</dd>
          </div>
        </dl>
      </div>
      <div className={styles.collage} aria-hidden="true">
        {home.featured.slice(0, 3).map((course) => (
          <div key={course.id}>
            <CourseArt category={course.category} schoolYear={course.school_year} />
            <p>
              {course.school_year} {course.category}
            </p>
          </div>
        ))}
      </div>
    </div>
  );
}
