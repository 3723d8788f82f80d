import { FileInput, Note, Stack } from "@konomana/ui-base";
import { FieldError } from "@konomana/ui-kit";
import { type ChangeEvent, useId, useState } from "react";
import { shrinkPhoto } from "@konomana/picture";

interface PhotoFieldProps {
  /** Whether the question has no picture yet. */
  isFirst: boolean;
  onChange: (photo: Blob) => void;
}

/** Takes a photo, with the camera of a phone or from a file. It is made smaller on the device. */
export function PhotoField({ isFirst, onChange }: PhotoFieldProps) {
  const [isUnreadable, setUnreadable] = useState(false);
  const id = useId();
  const choose = async (file: File) => {
    const photo = await shrinkPhoto(file).catch(() => null);
    setUnreadable(photo === null);
    if (photo !== null) onChange(photo);
  };
  const take = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const [file] = input.files ?? [];
    // Allows the same file to be chosen again.
    input.value = "";
    if (file !== undefined) void choose(file);
  };
  const label = isFirst ? "写真をとる・選ぶ" : "べつの写真をとる・選ぶ";
  return (
    <Stack gap="xs" align="start">
      <Note id={`${id}-note`}>
        紙に書いた答えを、明るい場所で、紙の全体が入るようにとってください。
      </Note>
      <FileInput
        id={id}
        label={label}
        // Phones convert their own formats to one of these.
        accept="image/jpeg,image/png,image/webp"
        aria-label={label}
        aria-describedby={isUnreadable ? `${id}-note ${id}-error` : `${id}-note`}
        aria-invalid={isUnreadable || undefined}
        onChange={take}
      />
      {isUnreadable && (
        <FieldError id={`${id}-error`}>
          この写真は読めません。PNG・JPEG・WebPの写真を選んでください。
        </FieldError>
      )}
    </Stack>
  );
}
