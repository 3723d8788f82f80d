import "@mantine/core/styles/Input.layer.css";
import { TextInput, type TextInputProps } from "@mantine/core";

/**
 * A field for one line. The kit connects label, description and error to the input. An error is
 * always text beside the field, never colour alone.
 */
export function TextField(props: TextInputProps) {
  return <TextInput {...props} />;
}
