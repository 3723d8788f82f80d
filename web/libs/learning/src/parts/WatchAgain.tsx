import { paths } from "@konomana/paths";
import { Anchor } from "@konomana/ui";
import { Link } from "react-router";
import { clock } from "./clock";

interface WatchAgainProps {
  lesson: number;
  /** The second of the lesson's video. */
  at: number;
}

/** Leads to the second of the video that explains a question. */
export function WatchAgain({ lesson, at }: WatchAgainProps) {
  return (
    <Anchor
      component={Link}
      to={paths.lecture(lesson, { at })}
      c="red.9"
      py={10}
      display="inline-block"
    >
      この場面をもう一度見る（{clock(at)}から）
    </Anchor>
  );
}
