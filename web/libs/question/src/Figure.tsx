import { Button, CloseButton, Group, Stack } from "@konomana/ui-base";
import { useRef, useState } from "react";
import styles from "./Figure.module.css";
import type { Picture } from "./question";

/** Sizes of an enlarged figure, in percent of the window's width. */
const SIZES = [100, 150, 200, 300] as const;

interface FigureProps {
  picture: Picture;
  /** What the picture is called. */
  noun?: string;
}

/** A figure of a question. It can be enlarged over the whole window. */
export function Figure({ picture: { url, alt }, noun = "図" }: FigureProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  /** The index in `SIZES`. `null` while the figure is not enlarged. */
  const [step, setStep] = useState<number | null>(null);
  const open = () => {
    setStep(0);
    dialog.current?.showModal();
  };
  return (
    <Stack as="figure" gap="0.25rem" align="start">
      <img className="kn-print" src={url} alt={alt} />
      <Button
        pill
        variant="quiet"
        aria-label={`${noun}を大きく見る：${alt}`}
        aria-haspopup="dialog"
        onClick={open}
      >
        {noun}を大きく見る
      </Button>
      <dialog
        ref={dialog}
        className={styles.dialog}
        aria-label={`${noun}：${alt}`}
        closedby="any"
        onClose={() => setStep(null)}
      >
        {step !== null && (
          <>
            <Group justify="space-between" nowrap className={styles.bar}>
              <Group gap="xs">
                <Button
                  pill
                  variant="default"
                  aria-disabled={step === 0}
                  onClick={() => setStep(Math.max(step - 1, 0))}
                >
                  縮小
                </Button>
                <Button
                  pill
                  variant="default"
                  aria-disabled={step === SIZES.length - 1}
                  onClick={() => setStep(Math.min(step + 1, SIZES.length - 1))}
                >
                  拡大
                </Button>
                <output>{SIZES[step]}%</output>
              </Group>
              <CloseButton aria-label="閉じる" onClick={() => dialog.current?.close()} />
            </Group>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys scroll it */}
            <div className={styles.view} tabIndex={0} role="group" aria-label={alt}>
              <img src={url} alt={alt} style={{ width: `${SIZES[step]}%` }} />
            </div>
          </>
        )}
      </dialog>
    </Stack>
  );
}
