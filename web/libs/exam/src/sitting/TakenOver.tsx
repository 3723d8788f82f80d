import { sentenceOf } from "@konomana/http";
import { paths } from "@konomana/paths";
import { Alert, Button, ButtonLink, Grid, Stack, Title } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import type { SittingSession } from "./protocol/SittingSession";

/**
 * Dialog shown when another device has taken over the paper. The learner takes it back or leaves.
 */
export function TakenOver({ exam, session }: { exam: number; session: SittingSession }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const takingOver = useMutation({ mutationFn: () => session.takeOver() });
  return (
    // Escape does not close it: the screen behind it is not usable.
    <dialog ref={dialog} aria-labelledby={id} onCancel={(event) => event.preventDefault()}>
      <Stack>
        <Title order={2} size="h4" id={id}>
          ほかの端末に引きつがれました
        </Title>
        <p>
          この試験は、いまほかの端末で受けています。この端末では答えられません。この端末で続けると、ほかの端末では答えられなくなります。
        </p>
        {takingOver.isError && <Alert color="red">{sentenceOf(takingOver.error)}</Alert>}
        <Grid min="10.5rem" fill gap="sm">
          <ButtonLink to={paths.mockExam(exam)} variant="default">
            模試のページにもどる
          </ButtonLink>
          <Button busy={takingOver.isPending} onClick={() => takingOver.mutate()}>
            この端末で続ける
          </Button>
        </Grid>
      </Stack>
    </dialog>
  );
}
