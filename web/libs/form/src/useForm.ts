import { type FormEvent, useCallback, useRef, useState } from "react";

/** What is wrong with a form's values: a sentence by the name of each wrong field. */
export type FieldErrors = Readonly<Record<string, string>>;

type Name<Values> = keyof Values & string;

/** What every field gets. `onChange` takes the new value, or the event of an element that has it. */
interface InputProps {
  onChange: (valueOrEvent: unknown) => void;
  onBlur: () => void;
  error: string | undefined;
  /** Names the field, so that the form finds the first wrong one. */
  "data-path": string;
}

export interface FormOptions<Values, Parsed> {
  /** Values at first and after `reset`. */
  initialValues: Values;
  validate?: (values: Values) => FieldErrors;
  /** Makes of valid values what is saved. By default the values are saved. */
  transformValues?: (values: Values) => Parsed;
  onValuesChange?: (values: Values) => void;
  /** Whether a field is validated when it is left. */
  validateInputOnBlur?: boolean;
}

export interface Form<Values, Parsed = Values> {
  values: Values;
  errors: FieldErrors;
  /** Returns the newest values, also before they are drawn. */
  getValues: () => Values;
  /** Changes several values. Removes all errors. */
  setValues: (change: Partial<Values> | ((before: Values) => Partial<Values>)) => void;
  setFieldValue: <Field extends Name<Values>>(field: Field, value: Values[Field]) => void;
  setErrors: (errors: FieldErrors) => void;
  setFieldError: (field: Name<Values>, error: string) => void;
  validateField: (field: Name<Values>) => void;
  reset: () => void;
  /** Returns the props of a field; a change of its value removes its error. */
  getInputProps: {
    <Field extends Name<Values>>(
      field: Field,
    ): InputProps & { value: Exclude<Values[Field], boolean> };
    (field: Name<Values>, options: { type: "checkbox" }): InputProps & { checked: boolean };
  };
  /** Returns a submit handler: `save` gets valid values, `onInvalid` the errors of others. */
  onSubmit: (
    save: (values: Parsed) => void,
    onInvalid?: (errors: FieldErrors) => void,
  ) => (event: FormEvent<HTMLFormElement>) => void;
}

/** The values of a form in controlled mode, with an error for each wrong field. */
export function useForm<Values extends object, Parsed = Values>({
  initialValues,
  validate = () => ({}),
  transformValues,
  onValuesChange,
  validateInputOnBlur = false,
}: FormOptions<Values, Parsed>): Form<Values, Parsed> {
  const [initial] = useState(initialValues);
  const [values, showValues] = useState(initial);
  const [errors, setErrors] = useState<FieldErrors>({});
  // Two changes may come before the form is drawn again.
  const newest = useRef(values);

  const change = useCallback(
    (next: Values) => {
      newest.current = next;
      showValues(next);
      onValuesChange?.(next);
    },
    [onValuesChange],
  );
  const setValues = useCallback<Form<Values>["setValues"]>(
    (part) => {
      const before = newest.current;
      setErrors({});
      change({ ...before, ...(typeof part === "function" ? part(before) : part) });
    },
    [change],
  );
  const showError = (field: string, error: string | undefined) =>
    setErrors(({ [field]: _before, ...others }) =>
      error === undefined ? others : { ...others, [field]: error },
    );
  const validateField = (field: string) => showError(field, validate(newest.current)[field]);
  const setFieldValue = (field: string, value: unknown) => {
    showError(field, undefined);
    change({ ...newest.current, [field]: value });
  };

  const getInputProps = (field: Name<Values>, options?: { type: "checkbox" }) => ({
    ...(options?.type === "checkbox" ? { checked: values[field] } : { value: values[field] }),
    onChange: (valueOrEvent: unknown) => setFieldValue(field, valueOf(valueOrEvent)),
    onBlur: () => {
      if (validateInputOnBlur) validateField(field);
    },
    error: errors[field],
    "data-path": field,
  });

  return {
    values,
    errors,
    getValues: () => newest.current,
    setValues,
    setFieldValue,
    setErrors,
    setFieldError: showError,
    validateField,
    reset: () => {
      setErrors({});
      change(initial);
    },
    getInputProps: getInputProps as Form<Values>["getInputProps"],
    onSubmit: (save, onInvalid) => (event) => {
      event.preventDefault();
      const found = validate(newest.current);
      setErrors(found);
      if (Object.keys(found).length > 0) onInvalid?.(found);
      else if (transformValues === undefined) save(newest.current as Values & Parsed);
      else save(transformValues(newest.current));
    },
  };
}

/** The value of the element that an event is about; everything else is a value itself. */
function valueOf(valueOrEvent: unknown): unknown {
  if (typeof valueOrEvent !== "object" || valueOrEvent === null) return valueOrEvent;
  const { currentTarget: element } = valueOrEvent as { currentTarget?: unknown };
  if (element instanceof HTMLInputElement && element.type === "checkbox") return element.checked;
  const hasValue =
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement;
  return hasValue ? element.value : valueOrEvent;
}
