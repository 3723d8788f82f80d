import { paths } from "@konomana/paths";
import { Button, Text } from "@konomana/ui";
import { type ComponentType, type ReactNode, useState } from "react";
import { Link } from "react-router";
import { EntryPage } from "../parts/EntryPage";
import { useLinkToken } from "../parts/useLinkToken";

/** What the question of a mail's link is given. */
export interface AskProps {
  /** The secret of the link. */
  token: string;
  onDone: () => void;
}

interface ConfirmProps {
  title: string;
  /** Says what the link does, and has the button that does it. */
  Ask: ComponentType<AskProps>;
  /** What is true then. */
  done: { title: string; text: string; action?: ReactNode };
}

/** A mail's link: what it does is said, and done by a button. Programs that only look change nothing. */
export function Confirm({ title, Ask, done }: ConfirmProps) {
  const token = useLinkToken();
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <EntryPage title={done.title}>
        <Text role="status">{done.text}</Text>
        {done.action}
      </EntryPage>
    );
  }
  if (token === null) {
    return (
      <EntryPage title={title}>
        <Text>この画面は、メールのリンクから開きます。</Text>
        <Button component={Link} to={paths.home()} size="lg" fullWidth>
          TOPへ
        </Button>
      </EntryPage>
    );
  }
  return (
    <EntryPage title={title}>
      <Ask token={token} onDone={() => setDone(true)} />
    </EntryPage>
  );
}
