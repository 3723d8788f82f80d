import { ApiError, type ErrorCode } from "@konomana/http";
import { type FormName, refusedFields } from "@konomana/form";
import { Button, Stack } from "@konomana/ui-base";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useRef, type FormEvent, type KeyboardEvent, type ReactNode } from "react";
import { FailureAlert } from "./FailureAlert";

/** Reasons of the server that are about one field of a form, with what is said beside it. */
export type Refusals = Readonly<Partial<Record<ErrorCode, { field: string; sentence: string }>>>;

/** For forms in which a signed-in person gives their password once more. */
export const wrongPassword: Refusals = {
  BAD_CREDENTIALS: { field: "password", sentence: "パスワードが正しくありません。" },
};

interface SaveFormProps<Values, Parsed, Answer> {
  /** Accessible name. */
  label: string;
  form: UseFormReturnType<Values, Parsed>;
  /** Gets what the form makes of its values. */
  save: (values: Parsed) => Promise<Answer>;
  onSaved?: (answer: Answer, values: Parsed) => unknown;
  /** What could not be done, as the title of the message that says why. */
  failed: string;
  submit: string;
  /** What the button says while the answer is on its way. */
  busy: string;
  refusals?: Refusals;
  /** Names a form whose fields have sentences of their own. */
  sentences?: FormName | undefined;
  children: ReactNode;
}

/**
 * A form that is sent once at a time and keeps what was typed, whatever the answer: what is wrong with a field
 * is said beside it, everything else at the top; the focus goes there.
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
  // Not form.getInputNode, which searches the whole page: another form there may have a field of the same name.
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
    // Only scripts send the form. Without them the default method would put every field into the address; outside a
    // dialog element, a form with this method is not sent at all.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys come up from its fields
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

/** What browsers call every key of an input method. Safari tells only by it that Enter still belongs to a conversion. */
const COMPOSING_KEY = 229;

/** Enter that ends a Japanese conversion picks the word; it does not send the form. */
function keepComposing(event: KeyboardEvent) {
  const composing = event.nativeEvent.isComposing || event.keyCode === COMPOSING_KEY;
  if (event.key === "Enter" && composing) event.preventDefault();
}

function refusalIn(refusals: Refusals, error: Error) {
  return error instanceof ApiError ? refusals[error.code] : undefined;
}
