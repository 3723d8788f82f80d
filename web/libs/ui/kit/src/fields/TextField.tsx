import "@mantine/core/styles/Input.layer.css";
import { TextInput, type TextInputProps } from "@mantine/core";

/**
 * A field for one line. The kit joins label, description and error to the input; an error is text beside the
 * field, never colour alone.
 */
export function TextField(props: TextInputProps) {
  return <TextInput {...props} />;
}
