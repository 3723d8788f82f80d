import { Note } from "./Note";
import { VisuallyHidden } from "./VisuallyHidden";

const number = new Intl.NumberFormat("ja-JP");

const askToShorten = (over: string) => `あと${over}文字、へらしてください`;

interface CharacterCountProps {
  /** Characters in the field. */
  length: number;
  max: number;
  /** The sentence for a text that is too long, without its full stop. `over`: characters above `max`. */
  tooLong?: (over: string) => string;
}

/**
 * The count of characters below a field. Text that is too long is told in words too; screen readers
 * announce them.
 */
export function CharacterCount({ length, max, tooLong = askToShorten }: CharacterCountProps) {
  const isOver = length > max;
  const sentence = isOver ? tooLong(number.format(length - max)) : "";
  return (
    <>
      <Note mt="0.25rem" className={isOver ? "kn-end kn-bold kn-accent" : "kn-end"}>
        {number.format(length)} / {number.format(max)}文字
        {isOver && `（${sentence}）`}
      </Note>
      <VisuallyHidden role="status">{isOver ? `${sentence}。` : ""}</VisuallyHidden>
    </>
  );
}
