import { paths } from "@konomana/paths";
import { Button, Group, TextLink } from "@konomana/ui-base";
import { useNavigate } from "react-router";

interface AskHereProps {
  lesson: number;
  /** Current position of the video in seconds. */
  place: () => number;
}

/** Asks a teacher about the current second, and leads to the shared questions of the lesson. */
export function AskHere({ lesson, place }: AskHereProps) {
  const navigate = useNavigate();
  const ask = () => void navigate(paths.askTeacher({ lesson, at: Math.floor(place()) }));
  return (
    <Group gap="0.5rem 1.25rem">
      <Button variant="default" onClick={ask}>
        この場面を先生に質問する
      </Button>
      <TextLink to={paths.lessonQuestions(lesson)}>みんなの質問と回答</TextLink>
    </Group>
  );
}
