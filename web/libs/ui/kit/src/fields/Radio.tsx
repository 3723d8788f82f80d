import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Radio.layer.css";
import {
  Radio as KitRadio,
  RadioGroup as KitRadioGroup,
  type RadioGroupProps,
  type RadioProps,
} from "@mantine/core";

/** One choice of a `RadioGroup`. */
export function Radio(props: RadioProps) {
  return <KitRadio {...props} />;
}

/** A choice of one among several visible options. */
export function RadioGroup(props: RadioGroupProps) {
  return <KitRadioGroup {...props} />;
}
