import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Checkbox.layer.css";
import { Checkbox, type CheckboxProps } from "@mantine/core";

/** A checkbox of a form, with its label and error. */
export function CheckboxField(props: CheckboxProps) {
  return <Checkbox {...props} />;
}
