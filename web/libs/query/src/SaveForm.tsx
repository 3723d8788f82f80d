import { ApiError, type ErrorCode } from "@konomana/http";
import { type FormName, refusedFields } from "@konomana/form";
import { Button, Stack } from "@konomana/ui-base";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useRef, type FormEvent, type ReactNode } from "react";
import { FailureAlert } from "./FailureAlert";
import { keepComposing } from "./keepComposing";

/**
 * Error codes of the server that belong to a field of a form, with the message to show beside it.
 */
export type Refusals = Readonly<Partial<Record<ErrorCode, { field: string; sentence: string }>>>;

/** For forms that ask a signed-in person for their password again. */
export const wrongPassword: Refusals = {
  BAD_CREDENTIALS: { field: "password", sentence: "パスワードが正しくありません。" },
};

interface SaveFormProps<Values, Parsed, Answer> {
  /** Accessible name. */
  label: string;
  form: UseFormReturnType<Values, Parsed>;
  /** Gets the parsed values of the form. */
  save: (values: Parsed) => Promise<Answer>;
  onSaved?: (answer: Answer, values: Parsed) => unknown;
  /** The failed action, as the title of the error message. */
  failed: string;
  submit: string;
  /** Text of the button while the request is running. */
  busy: string;
  refusals?: Refusals;
  /** Names a form with messages of its own. */
  sentences?: FormName | undefined;
  children: ReactNode;
}

/**
 * A form that runs one request at a time and keeps the typed values. Errors of a field are shown
 * beside it, others at the top; the focus moves there.
 */
export function SaveForm<Values, Parsed, Answer>(props: SaveFormProps<Values, Parsed, Answer>) {
  const {
    label,
    form,
    save,
    onSaved,
    failed,
    submit,
    busy,
    refusals = {},
    sentences,
    children,
  } = props;
  const element = useRef<HTMLFormElement>(null);
  const alert = useRef<HTMLDivElement>(null);
  // `form.getInputNode` searches the whole page, where another form may have a field of this name.
  const firstOf = (errors: object) =>
    element.current?.querySelector<HTMLElement>(`[data-path="${Object.keys(errors)[0]}"]`);
  const saving = useMutation({
    mutationFn: save,
    onSuccess: onSaved,
    onError: (error) => {
      const about = refusalIn(refusals, error);
      const errors = about ? { [about.field]: about.sentence } : refusedFields(error, sentences);
      form.setErrors(errors);
      (firstOf(errors) ?? alert.current)?.focus();
    },
  });
  const send = (event: FormEvent<HTMLFormElement>) =>
    form.onSubmit(
      (values) => {
        if (!saving.isPending) saving.mutate(values);
      },
      (errors) => firstOf(errors)?.focus(),
    )(event);
  return (
    // Only scripts send the form. The default method would put every field into the address.
    // Outside a dialog element, a form with this method is never submitted by the browser.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- key events bubble up from its fields
    <form
      ref={element}
      method="dialog"
      onSubmit={send}
      onKeyDown={keepComposing}
      noValidate
      aria-label={label}
    >
      <Stack gap="lg">
        <div ref={alert} tabIndex={-1}>
          {saving.isError && (
            <FailureAlert
              key={saving.submittedAt}
              error={saving.error}
              title={failed}
              sentence={refusalIn(refusals, saving.error)?.sentence}
            />
          )}
        </div>
        {children}
        <Button type="submit" size="lg" aria-disabled={saving.isPending}>
          {saving.isPending ? busy : submit}
        </Button>
      </Stack>
    </form>
  );
}

function refusalIn(refusals: Refusals, error: Error) {
  return error instanceof ApiError ? refusals[error.code] : undefined;
}
