import { PictureView } from "@konomana/picture";
import { Figure } from "@konomana/question";
import { Stack } from "@konomana/ui-base";
import { useEffect, useRef, useState } from "react";
import type { QuestionPicture } from "./teacherQuestionCalls";

interface QuestionPicturesProps {
  pictures: readonly QuestionPicture[];
  /** What the pictures belong to, for a picture without a description. */
  messageKind: "質問" | "回答";
  load: (id: string) => Promise<Blob>;
}

/** The pictures of a message. They are loaded when they come near the window, and can be enlarged. */
export function QuestionPictures({ pictures, messageKind, load }: QuestionPicturesProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: "100%" },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <Stack ref={place} gap="sm" mt="sm" mb="sm">
      {isNear &&
        pictures.map(({ id, description }, index) => {
          const alt = description || `${messageKind}の写真 ${index + 1}`;
          return (
            <PictureView key={id} name={id} load={() => load(id)} alt={alt}>
              {(url) => <Figure picture={{ url, alt }} noun="写真" />}
            </PictureView>
          );
        })}
    </Stack>
  );
}
