import { paths } from "@konomana/paths";
import {
  ButtonLink,
  formatDuration,
  Stack,
  Group,
  Container,
  Tag,
  TextLink,
} from "@konomana/ui-base";
import { CourseArt } from "@konomana/ui-base/art";
import type { HomeData } from "../data/home";
import styles from "./home.module.css";
import { StartButton } from "./StartButton";

/** The top of the front page: what コノマナ is. */
export function Hero({ home }: { home: HomeData }) {
  const lesson = Math.round(home.duration_sum / Math.max(1, home.lesson_count) / 60);
  return (
    <Container className={`kn-columns ${styles.hero}`}>
      <Stack gap="clamp(1rem, 2.5vw, 1.5rem)">
        <Tag>中学生・高校生のオンライン学習</Tag>
        <h1>
          「わかった」を、
          <br />
          ひとつずつ。
        </h1>
        <p className="kn-lead kn-soft">
          1本およそ{lesson}
          分の短いレッスンを、順番に。苦手なところから、自分のペースで進められる講座がそろっています。
        </p>
        <Group as="p" actions gap="sm">
          <StartButton />
          <ButtonLink pill to={paths.courses()} size="xl" variant="default">
            講座を見る
          </ButtonLink>
        </Group>
        {home.sample !== null && (
          <TextLink to={paths.courseSample(home.sample)}>登録なしで、見本のレッスンを見る</TextLink>
        )}
        <Group as="dl" gap="0.5rem 2rem">
          <div>
            <dt>講座</dt>
            <dd className="kn-figure">
              {home.count}
              <small>講座</small>
            </dd>
          </div>
          <div>
            <dt>レッスン</dt>
            <dd className="kn-figure">
              {home.lesson_count}
              <small>本</small>
            </dd>
          </div>
          <div>
            <dt>合計</dt>
            <dd className="kn-figure">{formatDuration(home.duration_sum)}</dd>
          </div>
        </Group>
      </Stack>
      <div className={styles.collage} aria-hidden="true">
        {home.featured.slice(0, 3).map((course) => (
          <div key={course.id} className="kn-framed">
            <CourseArt category={course.category} schoolYear={course.school_year} />
            <p className="kn-fine kn-bold">
              {course.school_year} {course.category}
            </p>
          </div>
        ))}
      </div>
    </Container>
  );
}
