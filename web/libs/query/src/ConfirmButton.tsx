import { sentenceOf } from "@konomana/http";
import { Alert, Button, Title, Grid, Stack } from "@konomana/ui-base";
import type { UseMutationResult } from "@tanstack/react-query";
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";

interface ConfirmButtonProps {
  /** Text of the button. */
  label: string;
  /** Accessible name, where several buttons have the same text. */
  fullLabel?: string;
  /** The question of the dialog. */
  title: string;
  /** The consequence. */
  children?: ReactNode;
  /** Text of the confirming button; names the action. */
  yes: string;
  doing: Pick<
    UseMutationResult<unknown, Error, void>,
    "mutate" | "reset" | "isPending" | "isError" | "error"
  >;
}

/** A button for an irreversible action: it opens a confirmation dialog, which also shows errors. */
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

/** The opener may disappear with its item. In that case the focus moves to the page's content. */
function keepFocus(opener: HTMLButtonElement | null, dialog: HTMLDialogElement | null) {
  return () => {
    // Closing returns the focus to the opener.
    dialog?.close();
    if (document.activeElement === opener)
      document.querySelector("main")?.focus({ preventScroll: true });
  };
}
