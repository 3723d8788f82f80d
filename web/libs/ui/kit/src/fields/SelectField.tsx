import "@mantine/core/styles/Input.layer.css";
import { NativeSelect, type NativeSelectProps } from "@mantine/core";

/** A choice from a list, with the native picker. */
export function SelectField(props: NativeSelectProps) {
  return <NativeSelect {...props} />;
}
