import { inventoryItemQuery } from "@konomana/learner";
import { type LectureLesson, lessonQuery } from "../api";
import { paths } from "@konomana/paths";
import {
  formatDuration,
  Text,
  Title,
  TextLink,
  Panel,
  Lines,
  Note,
  formatClock,
} from "@konomana/ui-base";
import { CourseArt } from "@konomana/ui-base/art";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { QuestionSteps } from "./QuestionSteps";

/** The lesson of a question or a result: picture, summary, and links into its video. */
export function LessonBeside() {
  const { id = "", questionId } = useParams();
  const lesson = useQuery(lessonQuery(id));
  return (
    <>
      {questionId !== undefined && (
        <QuestionSteps lesson={Number(id)} current={Number(questionId)} />
      )}
      {lesson.data && <Lesson lesson={lesson.data} />}
    </>
  );
}

function Lesson({ lesson }: { lesson: LectureLesson }) {
  const { id, name, course, summary, duration, marks, inventory_id } = lesson;
  const item = useQuery(inventoryItemQuery(inventory_id));
  return (
    <Panel as="section" aria-labelledby="beside-lesson">
      <div className="kn-band">
        {item.data && (
          <CourseArt
            category={item.data.course.category}
            schoolYear={item.data.course.school_year}
          />
        )}
      </div>
      <Text size="sm" dimmed mt="md">
        {course.name}
      </Text>
      <Title order={2} size="h4" id="beside-lesson">
        <TextLink strong to={paths.lecture(id)}>
          {name}
        </TextLink>
      </Title>
      <Text size="sm" dimmed>
        {formatDuration(duration)}
      </Text>
      {summary !== "" && <Text mt="xs">{summary}</Text>}
      {marks.length > 0 && (
        <>
          <Title order={3} size="h6" mt="md">
            動画の目次
          </Title>
          <Lines as="ol">
            {marks.map((mark) => (
              <li key={mark.at}>
                <Link className="kn-way" to={paths.lecture(id, { at: mark.at })}>
                  <span>{mark.name}</span>
                  <Note as="span" className="kn-push">
                    {formatClock(mark.at)}
                  </Note>
                </Link>
              </li>
            ))}
          </Lines>
        </>
      )}
    </Panel>
  );
}
