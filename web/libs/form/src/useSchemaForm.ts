import { useForm, type UseFormInput, type UseFormReturnType } from "@mantine/form";
import * as v from "valibot";
import type { FormName } from "./rules/fieldSentences";
import { validated } from "./rules/validated";

interface SchemaFormOptions<Values> extends Pick<
  UseFormInput<Values>,
  "initialValues" | "mode" | "onValuesChange" | "validateInputOnBlur"
> {
  /** Names a form whose fields have sentences of their own. */
  sentences?: FormName;
}

/**
 * A form that a schema of `rules` judges and parses: beside each field stands the first fault in words, and what is
 * saved is what the schema makes of the values. A field is judged when it is left, unless `validateInputOnBlur` is
 * false.
 */
export function useSchemaForm<Schema extends v.GenericSchema, Values extends object>(
  schema: Schema,
  { sentences, ...options }: SchemaFormOptions<Values>,
): UseFormReturnType<Values, v.InferOutput<Schema>> {
  return useForm<Values, v.InferOutput<Schema>>({
    validateInputOnBlur: true,
    ...options,
    validate: validated(schema, sentences),
    transformValues: (values) => v.parse(schema, values),
  });
}
