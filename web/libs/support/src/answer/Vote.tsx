import { supportCalls } from "../api";
import { sentenceOf } from "@konomana/http";
import { paths } from "@konomana/paths";
import { Alert, Button, Panel, Group, Note, Title } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "react-router";

interface VoteProps {
  /** The answer's id. */
  id: number;
  /** The number of helpful votes. */
  helpful: number;
}

/**
 * Asks whether an answer helped. Thanks for a vote, and links to the contact form after a negative
 * one.
 */
export function Vote({ id, helpful }: VoteProps) {
  const thanks = useRef<HTMLDivElement>(null);
  const voting = useMutation({
    mutationFn: (helps: boolean) => supportCalls.vote(id, helps),
    // The focused button is removed.
    onSuccess: () => thanks.current?.focus(),
  });
  const vote = (helps: boolean) => {
    if (!voting.isPending) voting.mutate(helps);
  };
  return (
    <Panel as="section" pad="lg" gap="sm" aria-labelledby="vote">
      <Title order={2} size="h4" id="vote">
        この答えは役に立ちましたか？
      </Title>
      <div role="status" tabIndex={-1} ref={thanks}>
        {voting.isSuccess && voting.variables && (
          <p>ありがとうございます。お役に立ててうれしいです。</p>
        )}
        {voting.isSuccess && !voting.variables && (
          <p>
            教えてくださって、ありがとうございます。答えを見直します。お急ぎのときは、
            <Link to={paths.contact()}>お問い合わせ</Link>からご質問ください。
          </p>
        )}
      </div>
      {!voting.isSuccess && (
        <Group gap="sm">
          <Button variant="default" aria-disabled={voting.isPending} onClick={() => vote(true)}>
            役に立った
          </Button>
          <Button variant="default" aria-disabled={voting.isPending} onClick={() => vote(false)}>
            役に立たなかった
          </Button>
        </Group>
      )}
      {voting.isError && (
        <Alert color="red" role="alert">
          {sentenceOf(voting.error)}
        </Alert>
      )}
      {helpful > 0 && <Note>{helpful}人の役に立ちました</Note>}
    </Panel>
  );
}
