import { Button, Group, Note, Stack } from "@konomana/ui-base";
import { type ReactNode, useState } from "react";
import { PictureView } from "@konomana/picture";
import { pictureIn } from "../../picture/pictureIn";
import type { SittingSession } from "../protocol/SittingSession";
import type { ExamAnswer } from "../protocol/sittingTypes";
import { DrawingPad } from "./DrawingPad";
import { PhotoField } from "./PhotoField";

const ways = [
  { way: "text", label: "文字で答える" },
  { way: "drawing", label: "手書きで答える" },
  { way: "photo", label: "写真で答える" },
] as const;

type Way = (typeof ways)[number]["way"];

interface PictureAnswerProps {
  session: SittingSession;
  question: number;
  given: ExamAnswer | null;
  /** Makes the text of the field the answer again, in place of a picture. */
  onRemove: () => void;
  /** The field for a text. */
  children: ReactNode;
}

/** Chooses how a written question is answered. The last change is the answer. */
export function PictureAnswer({
  session,
  question,
  given,
  onRemove,
  children,
}: PictureAnswerProps) {
  const picture = pictureIn(given);
  const hasText = given !== null && picture === null;
  // A picture does not tell whether it was drawn or photographed.
  const [way, setWay] = useState<Way | null>(picture === null ? "text" : null);
  const keep = (content: Blob) => void session.answerPicture(question, content);
  return (
    <Stack gap="sm">
      <Group gap="xs" role="group" aria-label="答え方">
        {ways.map(({ way: one, label }) => (
          <Button
            key={one}
            pill
            size="sm"
            variant={way === one ? "filled" : "default"}
            aria-pressed={way === one}
            onClick={() => setWay(one)}
          >
            {label}
          </Button>
        ))}
      </Group>
      {picture !== null && way !== "drawing" && (
        <Stack gap="xs" align="start">
          <PictureView
            name={picture}
            load={() => session.findPicture(question, picture)}
            alt="いまの答えの画像"
          />
          <Button pill size="sm" variant="default" onClick={onRemove}>
            この画像を取り消す
          </Button>
        </Stack>
      )}
      {way === null && <Note>答えを変えるときは、答え方を選んでください。</Note>}
      {way === "text" && (
        <>
          {children}
          {picture !== null && (
            <Note>いまの答えは画像です。文字を書くと、文字の答えに変わります。</Note>
          )}
        </>
      )}
      {way === "drawing" && (
        <>
          <DrawingPad
            load={picture === null ? null : () => session.findPicture(question, picture)}
            onChange={(drawing) => (drawing === null ? onRemove() : keep(drawing))}
          />
          {hasText && <Note>いまの答えは文字です。書くと、手書きの答えに変わります。</Note>}
        </>
      )}
      {way === "photo" && (
        <>
          <PhotoField isFirst={picture === null} onChange={keep} />
          {hasText && <Note>いまの答えは文字です。写真を選ぶと、写真の答えに変わります。</Note>}
        </>
      )}
    </Stack>
  );
}
