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

/** The input of a composed field. */
export function Input(props: InputProps & Omit<ComponentProps<"input">, keyof InputProps>) {
  return <KitInput {...props} />;
}

/** The label of a composed field. */
export function InputLabel(props: InputLabelProps & { htmlFor?: string }) {
  return <KitInputLabel {...props} />;
}

/** The error of a composed field. */
export function InputError(props: InputErrorProps & { id?: string }) {
  return <KitInputError {...props} />;
}
