import type { ChildCourse, Overview } from "../api";
import {
  Badge,
  formatDate,
  formatLastDay,
  Group,
  Lines,
  Note,
  Stack,
  Text,
  TitledPanel,
} from "@konomana/ui-base";
import { CourseProgress } from "../parts/CourseProgress";
import { minutesOf } from "../home/week";
import { WeekChart } from "../home/WeekChart";
import { DueFacts } from "./DueFacts";

type Learning = NonNullable<Overview["learning"]>;

const WEEK = 7;

/** Watched time, what is due, courses and results by subject. */
export function LearningPart({ learning }: { learning: Learning }) {
  const { days, courses, subjects } = learning;
  const [last, current] = [days.slice(0, -WEEK), days.slice(-WEEK)];
  const today = days.at(-1)?.date ?? "";
  return (
    <>
      <TitledPanel title="実際に見た時間" gap="md">
        <Note>とばした部分と、開いたままの時間は入りません。1日は朝4時に始まります。</Note>
        {[
          { label: "この7日間", days: current },
          { label: "その前の7日間", days: last },
        ].map((week) => (
          <div key={week.label}>
            <Text bold>
              {week.label}：{minutesIn(week.days)}分
            </Text>
            <WeekChart
              week={{ days: week.days, today }}
              label={`${week.label}の、日ごとの学習時間`}
              scale={days}
            />
          </div>
        ))}
      </TitledPanel>
      <TitledPanel title="これからすること" gap="sm">
        <Due learning={learning} />
      </TitledPanel>
      <TitledPanel title="講座" gap="md">
        {courses.length === 0 ? (
          <Text>まだ講座を持っていません。</Text>
        ) : (
          <Lines>
            {courses.map((course) => (
              <Course key={course.id} course={course} />
            ))}
          </Lines>
        )}
      </TitledPanel>
      <TitledPanel title="科目ごとの確認問題" gap="sm">
        {subjects.length === 0 ? (
          <Text>まだ確認問題に答えていません。</Text>
        ) : (
          <Subjects subjects={subjects} />
        )}
      </TitledPanel>
    </>
  );
}

function Due({ learning: { next_lesson, due_count } }: { learning: Learning }) {
  return (
    <Group as="dl" gap="0.5rem 2rem" align="start">
      <DueFacts due_count={due_count} next_lesson={next_lesson} />
    </Group>
  );
}

function Course({ course }: { course: ChildCourse }) {
  return (
    <Stack as="li" gap="xs">
      <Group gap="xs">
        <Text bold>{course.name}</Text>
        {course.completed_at !== null && (
          <Badge color="teal" size="lg">
            修了
          </Badge>
        )}
      </Group>
      <CourseProgress
        name={course.name}
        done={course.check_count}
        lessons={course.lesson_count}
        completed={course.completed_at !== null}
      />
      <Note>{[lastLook(course), end(course)].filter(Boolean).join("・")}</Note>
    </Stack>
  );
}

function Subjects({ subjects }: Pick<Learning, "subjects">) {
  return (
    <>
      <table className="kn-table" data-figures>
        <thead>
          <tr>
            <th scope="col">科目</th>
            <th scope="col">正解</th>
            <th scope="col">正答率</th>
          </tr>
        </thead>
        <tbody>
          {subjects.map(({ subject, answer_count: answers, right_count: right }) => (
            <tr key={subject}>
              <th scope="row">{subject}</th>
              <td>
                {right} / {answers}問
              </td>
              <td>{answers === 0 ? 0 : Math.round((right / answers) * 100)}%</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Note>
        問題に答えた日を、新しい順に60日ぶん集計しています。どの答えを書いたかは、ここには出ません。
      </Note>
    </>
  );
}

function minutesIn(days: Learning["days"]): number {
  return minutesOf(days.reduce((sum, { seconds }) => sum + seconds, 0));
}

/**
 * The day of the last watching. Empty if lessons are checked but none was watched: the child may
 * have learnt elsewhere.
 */
function lastLook({ last_watched_at: at, check_count: checks }: ChildCourse): string {
  if (at !== null) return `最後に学習した日：${formatDate(at)}`;
  return checks === 0 ? "まだ学習していません" : "";
}

function end({ expire_at }: ChildCourse): string {
  return expire_at === null ? "期限なし" : `${formatLastDay(expire_at)}まで`;
}
