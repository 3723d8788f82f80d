import "@mantine/core/styles/Input.layer.css";
import {
  Input as KitInput,
  InputError as KitInputError,
  type InputErrorProps,
  InputLabel as KitInputLabel,
  type InputLabelProps,
  type InputProps,
} from "@mantine/core";
import type { ComponentProps } from "react";

/** The parts of a field that is put together by hand. */
export function Input(props: InputProps & Omit<ComponentProps<"input">, keyof InputProps>) {
  return <KitInput {...props} />;
}

/** What a field is called. */
export function InputLabel(props: InputLabelProps & { htmlFor?: string }) {
  return <KitInputLabel {...props} />;
}

/** What is wrong with a field. */
export function InputError(props: InputErrorProps & { id?: string }) {
  return <KitInputError {...props} />;
}
