import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  ButtonLink,
  EmptyState,
  formatPeriod,
  Group,
  Head,
  LoadingState,
  Note,
  Panel,
  Stack,
  Text,
  TextLink,
  Title,
  TitledPanel,
  WeekLinks,
} from "@konomana/ui-base";
import { Portrait } from "@konomana/ui-base/art";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { ClassCalendarButton } from "./ClassCalendarButton";
import { type ClassWeek, classWeekQuery, formatLessonTitle, type LearnerClass } from "./classCalls";
import { HomeworkPanel } from "./HomeworkPanel";
import { JoinButton, LiveLessonPanel } from "./LiveLessonPanel";
import styles from "./class.module.css";

/** /mypage/class: the learner's classes with their teachers, a week of live lessons, and the homework. */
export function ClassScreen() {
  const [search] = useSearchParams();
  const day = search.get("day") ?? undefined;
  const query = useQuery(classWeekQuery(day));
  return (
    <Stack gap="lg">
      <Head title="クラス" />
      <Title order={1} size="h2">
        クラス
      </Title>
      <QueryBoundary query={query} loading={<LoadingState rows={3} height="9rem" />}>
        {(week) =>
          week.classes.length === 0 ? (
            <NoClass />
          ) : (
            <Classes week={week} day={day} isLoading={query.isPlaceholderData} />
          )
        }
      </QueryBoundary>
      <TextLink to={paths.settingsCalendar()} className="kn-start">
        予定をまとめてカレンダーに登録する
      </TextLink>
    </Stack>
  );
}

function NoClass() {
  return (
    <>
      <EmptyState title="参加しているクラスはありません">
        クラスのある講座を持っていると、先生のライブ授業の時間割がここに出ます。講座の期限が切れると、クラスも終わります。
      </EmptyState>
      <Group actions gap="sm">
        <ButtonLink to={paths.courses()}>講座をさがす</ButtonLink>
        <ButtonLink variant="default" to={paths.ownedCourses()}>
          所有講座を見る
        </ButtonLink>
      </Group>
    </>
  );
}

interface ClassesProps {
  /** The shown week. While another one is loading, the one before. */
  week: ClassWeek;
  /** A day of the week in the address. */
  day: string | undefined;
  /** Whether the week in the address is loading. */
  isLoading: boolean;
}

function Classes({ week, day, isLoading }: ClassesProps) {
  const { classes, lessons, homework } = week;
  return (
    <>
      <Stack as="ul" gap="sm" aria-label="わたしのクラス">
        {classes.map((one) => (
          <MyClass key={one.id} learnerClass={one} />
        ))}
      </Stack>
      <Stack as="section" gap="sm" aria-labelledby="timetable" aria-busy={isLoading}>
        <Title order={2} size="h4" id="timetable">
          時間割
        </Title>
        <WeekLinks week={week} loadingDay={isLoading ? day : undefined} to={paths.classWeek} />
        {lessons.length === 0 ? (
          <EmptyState title="この週に授業はありません">
            {week.has_previous || week.has_next
              ? "ほかの週もごらんください。"
              : "新しい授業が決まると、ここに出ます。"}
          </EmptyState>
        ) : (
          <Stack as="ul" gap="sm" aria-label="この週の授業">
            {lessons.map((lesson) => (
              <LiveLessonPanel key={lesson.id} lesson={lesson} />
            ))}
          </Stack>
        )}
      </Stack>
      {homework.length > 0 && (
        <TitledPanel title="宿題" gap="md">
          <Stack as="ul" gap="md">
            {homework.map((lesson) => (
              <HomeworkPanel key={lesson.id} lesson={lesson} />
            ))}
          </Stack>
        </TitledPanel>
      )}
    </>
  );
}

/** A class with its teacher and its next lesson. */
function MyClass({ learnerClass }: { learnerClass: LearnerClass }) {
  const { name, course, item_id, teacher, next_lesson } = learnerClass;
  return (
    <Panel as="li" gap="sm">
      <div className={styles.head}>
        <div className="kn-round">
          <Portrait id={teacher.id} />
        </div>
        <div>
          <Title order={2} size="h4">
            {name}
          </Title>
          <Text>
            担任：<TextLink to={paths.teacher(teacher.id)}>{teacher.name}先生</TextLink>
          </Text>
          <Note>
            講座：<TextLink to={paths.ownedCourse(item_id)}>{course.name}</TextLink>
          </Note>
        </div>
      </div>
      {next_lesson === null ? (
        <Note>これからの授業はありません。</Note>
      ) : (
        <>
          <Text>
            <strong>{next_lesson.join_url === null ? "次の授業" : "授業に参加できます"}</strong>：
            {formatPeriod(next_lesson)} {formatLessonTitle(next_lesson)}
          </Text>
          <JoinButton lesson={next_lesson} />
          {next_lesson.join_url === null && (
            <Note>開始の10分前になると、ここに参加のボタンが出ます。</Note>
          )}
        </>
      )}
      <Group actions>
        <ClassCalendarButton learnerClass={learnerClass} />
      </Group>
    </Panel>
  );
}
