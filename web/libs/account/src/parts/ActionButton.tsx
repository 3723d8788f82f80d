import { FailureAlert } from "@konomana/query";
import { Button, Stack } from "@konomana/ui-base";
import { useMutation } from "@tanstack/react-query";

interface ActionButtonProps<Answer> {
  label: string;
  /** Label of the button while the request is pending. */
  busy: string;
  /** Title of the error message; the message gives the reason. */
  failed: string;
  /** `default` if the page has a more likely next action. */
  variant?: "filled" | "default";
  call: () => Promise<Answer>;
  onDone?: (answer: Answer) => unknown;
}

/** A button that sends one request at a time and shows the reason for a failure. */
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
