import { Button, Group, Stack, Title } from "@konomana/ui-base";
import { useId, useRef } from "react";
import type { SittingSession } from "../protocol/SittingSession";
import { LoginForm } from "./LoginForm";

/** Asks for the password in a dialog, without leaving the exam, and sends the answers. */
export function LoginAgain({ session }: { session: SittingSession }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const sendAnswers = () => {
    dialog.current?.close();
    void session.synchronize();
  };
  return (
    <>
      <Group actions>
        <Button aria-haspopup="dialog" onClick={() => dialog.current?.showModal()}>
          ログインして送る
        </Button>
      </Group>
      <dialog ref={dialog} aria-labelledby={id} closedby="any">
        <Stack>
          <Title order={2} size="h4" id={id}>
            もう一度ログインする
          </Title>
          <LoginForm onDone={sendAnswers} />
        </Stack>
      </dialog>
    </>
  );
}
