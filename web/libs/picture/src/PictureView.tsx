import { Button, Note, Stack } from "@konomana/ui-base";
import { type ReactNode, useEffect, useState } from "react";
import { toDataUrl } from "./toDataUrl";
import styles from "./PictureView.module.css";

interface PictureViewProps {
  /** Changes with the picture. */
  name: string;
  /** Loads the picture. Called for another name, and for another attempt. */
  load: () => Promise<Blob>;
  alt: string;
  /** Shows the loaded picture in another way. */
  children?: (url: string) => ReactNode;
}

/** A picture whose content needs a login. */
export function PictureView({ name, load, alt, children }: PictureViewProps) {
  const [shown, setShown] = useState<{ name: string; url: string | null } | null>(null);
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    let isCurrent = true;
    load()
      .then(toDataUrl)
      .then(
        (url) => isCurrent && setShown({ name, url }),
        () => isCurrent && setShown({ name, url: null }),
      );
    return () => {
      isCurrent = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the name stands for the loader
  }, [name, attempt]);
  if (shown?.name !== name) return <Note>画像を読み込んでいます。</Note>;
  if (shown.url !== null)
    return children?.(shown.url) ?? <img className={styles.picture} src={shown.url} alt={alt} />;
  return (
    <Stack gap="xs" align="start">
      <Note>画像を表示できません。</Note>
      <Button pill variant="quiet" onClick={() => setAttempt(attempt + 1)}>
        もう一度読み込む
      </Button>
    </Stack>
  );
}
