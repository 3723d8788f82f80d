import { paths } from "@konomana/paths";
import { TextLink, formatClock } from "@konomana/ui-base";

interface WatchAgainProps {
  lesson: number;
  /** The second of the lesson's video. */
  at: number;
}

/** Leads to the second of the video that explains a question. */
export function WatchAgain({ lesson, at }: WatchAgainProps) {
  return (
    <TextLink to={paths.lecture(lesson, { at })}>
      この場面をもう一度見る（{formatClock(at)}から）
    </TextLink>
  );
}
