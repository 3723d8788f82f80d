import type { ResultSummary } from "../api";
import { paths } from "@konomana/paths";
import { Badge, formatDate, Group, Text, Panel, CoverLink } from "@konomana/ui-base";

/** One result; the whole card leads to it. */
export function ResultRow({ result }: { result: ResultSummary }) {
  const { id, kind, lesson, course, subject, finished_at, started_at } = result;
  const { question_count: of, answered_count: answered, right_count: right } = result;
  return (
    <Panel as="li" variant="raised" pad="1rem 1.25rem">
      <Group gap="0.5rem 1.5rem" justify="space-between">
        <div className="kn-grow">
          <Group gap="xxs">
            <Badge variant="light" color="gray" size="lg">
              {subject}
            </Badge>
            <Badge color={kind === "graded" ? "gray" : "blue"} size="lg">
              {kind === "graded" ? "採点" : "練習"}
            </Badge>
            {finished_at === null && (
              <Badge variant="outline" color="red" size="lg">
                途中・のこり{of - answered}問
              </Badge>
            )}
          </Group>
          <h3>
            <CoverLink to={paths.result(lesson.id, id)}>{lesson.name}</CoverLink>
          </h3>
          <Text size="sm" dimmed>
            {course.name}・{formatDate(finished_at ?? started_at)}
          </Text>
        </div>
        <p className="kn-nowrap">
          <strong className="kn-figure">{right}</strong> / {of}問正解
        </p>
      </Group>
    </Panel>
  );
}
