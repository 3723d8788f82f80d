import { sentenceOf } from "@konomana/http";
import { Alert, Button, Title, Grid, Stack } from "@konomana/ui-base";
import type { UseMutationResult } from "@tanstack/react-query";
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";

interface ConfirmButtonProps {
  /** What the button says. */
  label: string;
  /** Accessible name, where several buttons have the same text. */
  fullLabel?: string;
  /** The question. */
  title: string;
  /** What happens then. */
  children?: ReactNode;
  /** What is pressed to do it; says what is done. */
  yes: string;
  doing: Pick<
    UseMutationResult<unknown, Error, void>,
    "mutate" | "reset" | "isPending" | "isError" | "error"
  >;
}

/** A button for what can't be taken back: it asks once more, and says there what went wrong. */
export function ConfirmButton({
  label,
  fullLabel,
  title,
  children,
  yes,
  doing,
}: ConfirmButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => keepFocus(opener.current, dialog.current), []);
  const titleId = useId();
  const textId = useId();
  const close = () => dialog.current?.close();
  const ask = () => {
    doing.reset();
    dialog.current?.showModal();
  };
  const go = () => {
    if (!doing.isPending) doing.mutate(undefined, { onSuccess: close });
  };
  return (
    <>
      <Button
        ref={opener}
        variant="default"
        onClick={ask}
        aria-label={fullLabel}
        aria-haspopup="dialog"
      >
        {label}
      </Button>
      <dialog ref={dialog} aria-labelledby={titleId} aria-describedby={textId} closedby="any">
        <Stack>
          <Title order={2} size="h4" id={titleId}>
            {title}
          </Title>
          <p id={textId}>{children}</p>
          {doing.isError && <Alert color="red">{sentenceOf(doing.error)}</Alert>}
          <Grid min="10.5rem" fill gap="sm">
            <Button variant="default" onClick={close}>
              やめる
            </Button>
            <Button onClick={go} aria-disabled={doing.isPending}>
              {doing.isPending ? "お待ちください…" : yes}
            </Button>
          </Grid>
        </Stack>
      </dialog>
    </>
  );
}

/** What was asked about may go away with its button; the focus then stays on the page's content. */
function keepFocus(opener: HTMLButtonElement | null, dialog: HTMLDialogElement | null) {
  return () => {
    // Closing gives the focus back to the button.
    dialog?.close();
    if (document.activeElement === opener)
      document.querySelector("main")?.focus({ preventScroll: true });
  };
}
