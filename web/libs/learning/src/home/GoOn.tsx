import {
  courseMarksQuery,
  inventoryQuery,
  type InventoryItem,
  type InventoryList,
} from "@konomana/learner";
import { recentQuery, type RecentLesson, type RecentPage } from "../api";
import { combineQueries, QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { LoadingState, ButtonLink, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { CourseProgress } from "../parts/CourseProgress";
import { nextLesson } from "../parts/progress";
import { WatchBar } from "../parts/WatchBar";
import { formatPosition, isFinished } from "../parts/position";
import { GoOnCard, type ArtOf } from "./GoOnCard";
import styles from "./GoOn.module.css";

/** The lesson to continue with: the one watched last, at its position. */
export function GoOn() {
  const query = combineQueries([useQuery(inventoryQuery()), useQuery(recentQuery())]);
  return (
    <QueryBoundary part query={query} loading={<GoOnLoading />}>
      {([items, recent]) => <Going items={items} recent={recent} />}
    </QueryBoundary>
  );
}

function GoOnLoading() {
  return (
    <div className={styles.goOnRoom}>
      <LoadingState rows={1} height="var(--room)" />
    </div>
  );
}

function Going({
  items: { results: items },
  recent,
}: {
  items: InventoryList;
  recent: RecentPage;
}) {
  const last = recent.results.find(({ is_expired }) => !is_expired);
  if (last && !isFinished(last, last.lesson.duration)) {
    return <Resume last={last} art={items.find(({ course }) => course.id === last.course.id)} />;
  }
  const usable = items.filter(({ is_expired }) => !is_expired);
  const item = usable.find(({ course }) => course.id === last?.course.id) ?? usable[0];
  if (item) return <NextIn item={item} after={last?.lesson.id} />;
  return items[0] && <Over item={items[0]} />;
}

/** An unfinished lesson. */
function Resume({ last, art }: { last: RecentLesson; art: ArtOf | undefined }) {
  const { lesson, course, position } = last;
  return (
    <GoOnCard
      label="つづきから学ぶ"
      art={art}
      course={course.name}
      title={lesson.name}
      note={formatPosition(position, lesson.duration)}
      bar={<WatchBar name={lesson.name} position={position} duration={lesson.duration} />}
      action={
        <ButtonLink to={paths.lecture(lesson.id)} size="lg">
          つづきを見る
        </ButtonLink>
      }
      more={
        <TextLink size="sm" to={paths.lesson(lesson.id)}>
          このレッスンの内容
        </TextLink>
      }
    />
  );
}

/** The next lesson of a course. */
function NextIn({ item, after }: { item: InventoryItem; after: number | undefined }) {
  const checked = useQuery(courseMarksQuery("check", item.course.id));
  return (
    <QueryBoundary part query={checked} loading={<GoOnLoading />}>
      {(done) => <NextLesson item={item} done={done} after={after} />}
    </QueryBoundary>
  );
}

interface NextLessonProps {
  item: InventoryItem;
  /** The ids of checked lessons. */
  done: readonly number[];
  after: number | undefined;
}

function NextLesson({ item, done, after }: NextLessonProps) {
  const { course } = item;
  const lesson = nextLesson(course, done, after);
  const started = after !== undefined || done.length > 0;
  return (
    <GoOnCard
      label={
        lesson === null ? "おつかれさまでした" : started ? "次のレッスン" : "さっそく始めましょう"
      }
      art={item}
      course={course.name}
      title={lesson?.name ?? "すべてのレッスンを学習しました"}
      note={
        lesson === null
          ? "わすれたころに、もう一度見てみましょう。"
          : formatPosition(0, lesson.duration)
      }
      bar={
        <CourseProgress
          name={course.name}
          done={item.check_count}
          lessons={course.lesson_count}
          completed={item.completed_at !== null}
        />
      }
      action={
        <ButtonLink
          to={lesson === null ? paths.ownedCourse(item.id) : paths.lecture(lesson.id)}
          size="lg"
        >
          {lesson === null ? "講座をふり返る" : "このレッスンを見る"}
        </ButtonLink>
      }
      more={
        lesson === null ? (
          <TextLink size="sm" to={paths.courses()}>
            次の講座をさがす
          </TextLink>
        ) : (
          <TextLink size="sm" to={paths.lesson(lesson.id)}>
            このレッスンの内容
          </TextLink>
        )
      }
    />
  );
}

/** Every course has expired: shows links to the records and to a new purchase. */
function Over({ item }: { item: InventoryItem }) {
  const { course } = item;
  return (
    <GoOnCard
      label="期限が切れています"
      art={item}
      course={`${course.teacher.name}先生`}
      title={course.name}
      note="動画をまた見るには、もう一度購入してください。"
      bar={
        <CourseProgress
          name={course.name}
          done={item.check_count}
          lessons={course.lesson_count}
          completed={item.completed_at !== null}
        />
      }
      action={
        <ButtonLink to={paths.course(course.id)} size="lg">
          もう一度購入する
        </ButtonLink>
      }
      more={
        <TextLink size="sm" to={paths.ownedCourse(item.id)}>
          学習の記録を見る
        </TextLink>
      }
    />
  );
}
