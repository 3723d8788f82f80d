import { type ErrorCode, errorSentence } from "@konomana/http";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { LoadingState, Text, ButtonLink } from "@konomana/ui-base";
import { type ReactNode, useState } from "react";
import { EntryPage } from "../parts/EntryPage";
import { refusalIn, useLinkCheck } from "../parts/useLinkCheck";
import { useLinkToken } from "../parts/useLinkToken";

/** The message that is shown after the link was used. */
export interface Outcome {
  title: string;
  text: string;
  action?: ReactNode;
}

/** The link of a mail, as its screen receives it. */
export interface OpenedLink {
  /** The secret of the link. */
  token: string;
  /**
   * Waits for the call that uses the link, then shows the outcome in place of the question. An
   * expired or used link shows its own message. The caller shows any other failure.
   */
  finish: (call: Promise<unknown>, outcome: Outcome) => Promise<void>;
}

interface MailLinkProps {
  title: string;
  /** What the person can do when the link is expired or used. */
  whenDead: string;
  /** Explains what the link does and renders the button that does it. */
  children: (link: OpenedLink) => ReactNode;
}

/**
 * Screen of a mail's link. Opening the link changes nothing, so mail scanners have no effect; a
 * button uses it.
 */
export function MailLink({ title, whenDead, children }: MailLinkProps) {
  const token = useLinkToken();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [refusal, setRefusal] = useState<ErrorCode | null>(null);

  const finish = async (call: Promise<unknown>, next: Outcome) => {
    try {
      await call;
      setOutcome(next);
    } catch (error) {
      const reason = refusalIn(error);
      if (reason === null) throw error;
      setRefusal(reason);
    }
  };

  if (outcome !== null) {
    return (
      <EntryPage title={outcome.title} takesFocus>
        <Text role="status">{outcome.text}</Text>
        {outcome.action}
      </EntryPage>
    );
  }
  if (token === null) {
    return (
      <EntryPage title={title}>
        <Text>この画面は、メールのリンクから開きます。</Text>
        <ButtonLink to={paths.home()} size="lg" fullWidth>
          TOPへ
        </ButtonLink>
      </EntryPage>
    );
  }
  return (
    <EntryPage title={title} takesFocus={refusal !== null}>
      {refusal === null ? (
        children({ token, finish })
      ) : (
        <DeadLink code={refusal} whenDead={whenDead} />
      )}
    </EntryPage>
  );
}

interface CheckedMailLinkProps<About> extends Omit<MailLinkProps, "children"> {
  /** Asks the server what the link concerns. Changes nothing. */
  check: (token: string, signal: AbortSignal) => Promise<About>;
  children: (about: About, link: OpenedLink) => ReactNode;
}

/** A `MailLink` whose screen shows what the link concerns before the button is pressed. */
export function CheckedMailLink<About>({ check, children, ...rest }: CheckedMailLinkProps<About>) {
  return (
    <MailLink {...rest}>
      {(link) => (
        <LinkCheck token={link.token} check={check} whenDead={rest.whenDead}>
          {(about) => children(about, link)}
        </LinkCheck>
      )}
    </MailLink>
  );
}

interface LinkCheckProps<About> extends Pick<CheckedMailLinkProps<About>, "check" | "whenDead"> {
  token: string;
  children: (about: About) => ReactNode;
}

function LinkCheck<About>({ token, check, whenDead, children }: LinkCheckProps<About>) {
  const asked = useLinkCheck([token], (signal) => check(token, signal));
  return (
    <QueryBoundary query={asked} loading={<LoadingState rows={1} height="6rem" />}>
      {(link) =>
        link.alive ? children(link.answer) : <DeadLink code={link.code} whenDead={whenDead} />
      }
    </QueryBoundary>
  );
}

function DeadLink({ code, whenDead }: { code: ErrorCode; whenDead: string }) {
  return (
    <>
      <Text>{errorSentence(code)}</Text>
      {code === "LINK_DEAD" && <Text>{whenDead}</Text>}
      <ButtonLink to={paths.contact()} variant="default" size="lg" fullWidth>
        お問い合わせ
      </ButtonLink>
    </>
  );
}
