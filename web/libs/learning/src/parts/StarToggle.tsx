import { useMark } from "@konomana/query";
import { IconButton } from "@konomana/ui-base";
import { StarIcon } from "./markIcons";

interface StarToggleProps {
  lesson: { id: number; name: string };
  starred: boolean;
  /** Shows the star on or off; called at once, and again to undo it. */
  show: (on: boolean) => void;
}

/** A button that stars a lesson (お気に入り) or removes the star. */
export function StarToggle({ lesson, starred, show }: StarToggleProps) {
  const favorite = useMark("favorite", lesson.id, show);
  return (
    <IconButton
      aria-pressed={starred}
      aria-label={`${lesson.name}をお気に入りにする`}
      onClick={() => favorite.mutate(!starred)}
    >
      <StarIcon filled={starred} />
    </IconButton>
  );
}
