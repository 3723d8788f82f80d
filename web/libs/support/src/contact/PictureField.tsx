import { CloseButton, FileInput, Stack, Note, Group, Panel } from "@konomana/ui-base";
import { FieldLabel, FieldError } from "@konomana/ui-kit";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import styles from "./PictureField.module.css";
import { pictureTypes } from "./message";

interface PictureFieldProps {
  value?: File | null;
  onChange: (picture: File | null) => void;
  error?: ReactNode;
  /** The path by which the form finds the input. */
  "data-path"?: string;
  /** Called if the browser can't display the chosen file. */
  onUnreadable: () => void;
}

/** An optional picture. It is previewed before it is sent and can be removed. */
export function PictureField(props: PictureFieldProps) {
  const { value = null, onChange, error, onUnreadable, "data-path": path } = props;
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const preview = useDataUrl(error ? null : value);
  const describedBy = error ? `${id}-note ${id}-error` : `${id}-note`;

  const take = (picture: File | null) => {
    onChange(picture);
    // Allows the same file to be chosen again after its removal.
    if (input.current !== null && picture === null) input.current.value = "";
  };
  const remove = () => {
    take(null);
    input.current?.focus();
  };

  return (
    <Stack gap="xxs" align="start">
      <FieldLabel htmlFor={id}>画像（なくても送れます）</FieldLabel>
      <Note id={`${id}-note`}>画面の写真などを1枚。PNG・JPEG・WebP、5MBまで。</Note>
      <FileInput
        ref={input}
        id={id}
        label={value === null ? "画像を選ぶ" : "べつの画像を選ぶ"}
        accept={pictureTypes.join(",")}
        aria-describedby={describedBy}
        aria-invalid={error ? true : undefined}
        data-path={path}
        onChange={(event) => take(event.currentTarget.files?.[0] ?? null)}
      />
      {value !== null && (
        <Panel pad="0.5rem" className="kn-whole">
          <Group gap="sm" nowrap>
            <div className="kn-thumb">
              {preview !== null && (
                <img
                  className={styles.picture}
                  src={preview}
                  alt="選んだ画像"
                  onError={onUnreadable}
                />
              )}
            </div>
            <Note className="kn-grow">
              {value.name}（{sizeInWords(value.size)}）
            </Note>
            <CloseButton aria-label="画像を取り消す" onClick={remove} />
          </Group>
        </Panel>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </Stack>
  );
}

/**
 * The file as a `data:` URL. The Content-Security-Policy allows pictures only from the site and
 * from `data:`.
 */
function useDataUrl(file: File | null): string | null {
  const [read, setRead] = useState<{ file: File; url: string } | null>(null);
  useEffect(() => {
    if (file === null) return;
    const reader = new FileReader();
    reader.addEventListener("load", () => setRead({ file, url: String(reader.result) }));
    reader.readAsDataURL(file);
    return () => reader.abort();
  }, [file]);
  return read !== null && read.file === file ? read.url : null;
}

/** Formats a size: 1,300,000 is 1.3MB. */
function sizeInWords(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))}KB`
    : `${(bytes / 1_000_000).toFixed(1)}MB`;
}
