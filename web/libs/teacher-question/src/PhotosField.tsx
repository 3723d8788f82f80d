import { PictureView, shrinkPhoto } from "@konomana/picture";
import { CloseButton, FileInput, Group, Note, Panel, Stack } from "@konomana/ui-base";
import { FieldError, FieldLabel, TextField } from "@konomana/ui-kit";
import {
  type ChangeEvent,
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useId,
  useRef,
  useState,
} from "react";
import { MAX_PHOTOS, type Photo } from "./photos";
import styles from "./PhotosField.module.css";

interface PhotosFieldProps {
  photos: readonly Photo[];
  onChange: Dispatch<SetStateAction<readonly Photo[]>>;
  /** The form of the message. It shows the server's errors of a photo. */
  form: { errors: Readonly<Record<string, ReactNode>>; clearFieldError: (field: string) => void };
}

/** Up to three optional photos. They are made smaller on the device and sent with the message. */
export function PhotosField({ photos, onChange, form }: PhotosFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const id = useId();
  const error = refusals.length > 0 ? refusals.join(" ") : form.errors["pictures"];

  const forgetErrors = () => {
    setRefusals([]);
    form.clearFieldError("pictures");
  };
  const refuse = (sentence: string) => setRefusals((kept) => [...kept, sentence]);
  const dropPhoto = (key: string) => onChange((kept) => kept.filter((photo) => photo.key !== key));
  const addPhotos = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const files = [...(currentTarget.files ?? [])];
    // Allows the same file to be chosen again.
    currentTarget.value = "";
    forgetErrors();
    const room = MAX_PHOTOS - photos.length;
    if (files.length > room)
      refuse(`写真は${MAX_PHOTOS}枚までです。入らない写真は付けませんでした。`);
    const chosen = files.slice(0, room).map((file): Photo => {
      const content = shrinkPhoto(file);
      const key = crypto.randomUUID();
      content.catch(() => {
        dropPhoto(key);
        refuse(`「${file.name}」は写真として読めません。べつの写真を選んでください。`);
      });
      return { key, name: file.name, content, description: "" };
    });
    onChange((kept) => [...kept, ...chosen]);
  };
  const remove = (key: string) => {
    forgetErrors();
    dropPhoto(key);
    input.current?.focus();
  };

  return (
    <Stack gap="xxs" align="start">
      <FieldLabel htmlFor={id}>写真（なくても送れます）</FieldLabel>
      <Note id={`${id}-note`}>
        ノートや問題の写真を{MAX_PHOTOS}
        枚まで。名前など、人に見せたくないものが写っていないか、たしかめてください。
      </Note>
      <FileInput
        ref={input}
        id={id}
        label="写真をとる・選ぶ"
        accept="image/*"
        multiple
        aria-describedby={error ? `${id}-note ${id}-error` : `${id}-note`}
        aria-invalid={error ? true : undefined}
        data-path="pictures"
        onChange={addPhotos}
      />
      <div role="status">
        {photos.length > 0 && <Note>{`写真を${photos.length}枚付けました。`}</Note>}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {photos.length > 0 && (
        <Stack as="ul" gap="xs" className="kn-whole" aria-label="付けた写真">
          {photos.map(({ key, name, content, description }, index) => (
            <Panel key={key} as="li" pad="0.5rem">
              <Group gap="sm" justify="space-between" nowrap>
                <div className="kn-thumb">
                  <PictureView name={key} load={() => content} alt="">
                    {(url) => (
                      <img className={styles.photo} src={url} alt={`付けた写真 ${index + 1}`} />
                    )}
                  </PictureView>
                </div>
                <CloseButton
                  aria-label={`写真 ${index + 1}（${name}）を取り消す`}
                  onClick={() => remove(key)}
                />
              </Group>
              <TextField
                label={`写真 ${index + 1} の説明（なくても送れます）`}
                maxLength={100}
                value={description}
                onChange={({ currentTarget: { value } }) =>
                  onChange((kept) =>
                    kept.map((photo) =>
                      photo.key === key ? { ...photo, description: value } : photo,
                    ),
                  )
                }
              />
            </Panel>
          ))}
        </Stack>
      )}
    </Stack>
  );
}
