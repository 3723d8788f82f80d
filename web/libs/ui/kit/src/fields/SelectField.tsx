import { classes, Icon } from "@konomana/ui-base";
import type { ComponentProps } from "react";
import { Field, type FieldTexts, type OwnAttributes } from "./Field";
import styles from "./field.module.css";

/** An option. A string is both its value and its label. */
type SelectOption = string | { readonly value: string; readonly label: string };

interface SelectFieldProps extends FieldTexts, Omit<ComponentProps<"select">, OwnAttributes> {
  data: readonly SelectOption[];
}

/** A choice from a list, with the native picker. */
export function SelectField({
  label,
  description,
  error,
  id,
  className,
  data,
  ...rest
}: SelectFieldProps) {
  return (
    <Field {...{ label, description, error, id, className }}>
      {(attributes) => (
        <div className={styles.frame}>
          <select {...rest} {...attributes} className={classes(styles.input, styles.select)}>
            {data.map((option) => {
              const { value, label: text } =
                typeof option === "string" ? { value: option, label: option } : option;
              return (
                <option key={value} value={value}>
                  {text}
                </option>
              );
            })}
          </select>
          <div className={styles.arrow}>
            <Icon>
              <path d="M8 10l4 4 4-4" />
            </Icon>
          </div>
        </div>
      )}
    </Field>
  );
}
