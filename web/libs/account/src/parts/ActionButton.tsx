import { FailureAlert } from "@konomana/query";
import { Button, Stack } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";

interface ActionButtonProps<Answer> {
  label: string;
  /** What the button says while the answer is on its way. */
  busy: string;
  /** What could not be done, as the title of the message that says why. */
  failed: string;
  /** `default` where the page has a more likely way on. */
  variant?: "filled" | "default";
  call: () => Promise<Answer>;
  onDone?: (answer: Answer) => unknown;
}

/** One button that asks the server for one thing, once at a time, and says why it did not work. */
export function ActionButton<Answer>({
  label,
  busy,
  failed,
  variant = "filled",
  call,
  onDone,
}: ActionButtonProps<Answer>) {
  const doing = useMutation({ mutationFn: call, onSuccess: onDone });
  return (
    <Stack gap="lg">
      {doing.isError && <FailureAlert key={doing.submittedAt} error={doing.error} title={failed} />}
      <Button
        size="lg"
        fullWidth
        variant={variant}
        aria-disabled={doing.isPending}
        onClick={() => {
          if (!doing.isPending) doing.mutate();
        }}
      >
        {doing.isPending ? busy : label}
      </Button>
    </Stack>
  );
}
