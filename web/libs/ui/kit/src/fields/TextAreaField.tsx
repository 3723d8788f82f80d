import "@mantine/core/styles/Input.layer.css";
import { Textarea, type TextareaProps } from "@mantine/core";

/** A field for several lines. */
export function TextAreaField(props: TextareaProps) {
  return <Textarea rows={8} {...props} />;
}
