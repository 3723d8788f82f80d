import { type Cart, cartQuery } from "@konomana/cart";
import { ApiError } from "@konomana/http";
import { paths } from "@konomana/paths";
import { FailureAlert } from "@konomana/query";
import { Alert, Button, formatDateTime, Note, Panel, Text, TextLink } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { askGuardians } from "../api";

/**
 * Sends the cart to the learner's guardians. They get a mail and find the lines in their own cart.
 * Shows when it was sent.
 */
export function AskGuardians({ cart: { asked_at } }: { cart: Cart }) {
  const queries = useQueryClient();
  const asking = useMutation({
    mutationFn: askGuardians,
    onSuccess: ({ asked_at: at }) =>
      queries.setQueryData(cartQuery.queryKey, (cart) => cart && { ...cart, asked_at: at }),
  });
  return (
    <Panel as="section" variant="tint" gap="xs" aria-label="保護者へのお願い">
      <div role="status">
        {asked_at !== null && (
          <Text size="sm">
            {formatDateTime(asked_at)}
            に、保護者の方にお願いしました。保護者の方がお支払いをすると、受講できます。
          </Text>
        )}
      </div>
      {asking.isError && <Failure key={asking.submittedAt} error={asking.error} />}
      <Button variant="default" fullWidth busy={asking.isPending} onClick={() => asking.mutate()}>
        {asking.isPending
          ? "送っています…"
          : asked_at === null
            ? "保護者にお願いする"
            : "もう一度お願いする"}
      </Button>
      <Note>つながっている保護者の方のカートに同じ商品が入り、メールが届きます。</Note>
    </Panel>
  );
}

function Failure({ error }: { error: Error }) {
  if (error instanceof ApiError && error.code === "NO_GUARDIAN")
    return (
      <Alert color="red" title="つながっている保護者の方がいません">
        <p>お願いを送るには、先に、保護者の方のアカウントとつながってください。</p>
        <TextLink to={paths.settingsGuardian()}>保護者の方とつながる</TextLink>
      </Alert>
    );
  return <FailureAlert error={error} title="お願いを送れませんでした" />;
}
