import { cardApi } from "@konomana/cart";
import { FailureAlert } from "@konomana/query";
import { Button, Stack } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";

/**
 * Opens the provider's page, where a card is entered and verified with its bank. Nothing is
 * charged.
 */
export function SetUpCard({ children }: { children: string }) {
  const opening = useMutation({
    mutationFn: () => cardApi.setUp(),
    onSuccess: ({ page_url }) => location.assign(page_url),
  });
  const { reset } = opening;
  useEffect(() => {
    // The back button restores the page from the back/forward cache as it was.
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset();
    };
    addEventListener("pageshow", restored);
    return () => removeEventListener("pageshow", restored);
  }, [reset]);
  const leaving = opening.isPending || opening.isSuccess;
  return (
    <Stack gap="sm">
      {opening.isError && (
        <FailureAlert
          key={opening.submittedAt}
          error={opening.error}
          title="カードを入力するページを開けませんでした"
        />
      )}
      <Button busy={leaving} onClick={() => opening.mutate()}>
        {leaving ? "決済会社のページを開いています…" : children}
      </Button>
    </Stack>
  );
}
