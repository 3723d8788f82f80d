import { useForm, type UseFormInput, type UseFormReturnType } from "@mantine/form";
import * as v from "valibot";
import type { FormName } from "./rules/fieldSentences";
import { validated } from "./rules/validated";

interface SchemaFormOptions<Values> extends Pick<
  UseFormInput<Values>,
  "initialValues" | "mode" | "onValuesChange" | "validateInputOnBlur"
> {
  /** Names a form with messages of its own. */
  sentences?: FormName;
}

/**
 * A form validated and parsed by a schema of `rules`. Each field shows its first error, and `save`
 * gets the schema's output. A field is validated on blur, unless `validateInputOnBlur` is false.
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
