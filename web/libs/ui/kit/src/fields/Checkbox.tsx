import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Checkbox.layer.css";
import { Checkbox as KitCheckbox, type CheckboxProps } from "@mantine/core";

/** A switch with its label. */
export function Checkbox(props: CheckboxProps) {
  return <KitCheckbox {...props} />;
}
