import { type ComponentProps, createContext, type ReactNode, use, useId, useMemo } from "react";
import { type FieldTexts, type OwnAttributes, useFieldAttributes } from "./Field";
import { FieldError } from "./FieldError";
import styles from "./field.module.css";

interface RadioGroupContext {
  name: string;
  value: string | undefined;
  onChange: (value: string) => void;
  onBlur: ((event: never) => void) | undefined;
}

const GroupContext = createContext<RadioGroupContext | null>(null);

interface RadioGroupProps extends FieldTexts {
  /** The name of the inputs. */
  name?: string;
  value?: string;
  onChange: (value: string) => void;
  onBlur?: ((event: never) => void) | undefined;
  required?: boolean;
  /** `Radio`s. */
  children: ReactNode;
}

/** A choice of one among several visible options. */
export function RadioGroup({
  name,
  value,
  onChange,
  onBlur,
  required,
  children,
  ...texts
}: RadioGroupProps) {
  const { label, description, error } = texts;
  const { errorId, descriptionId, attributes } = useFieldAttributes(texts, undefined);
  const labelId = useId();
  const { id } = attributes;
  const context: RadioGroupContext = useMemo(
    () => ({ name: name ?? id, value, onChange, onBlur }),
    [name, id, value, onChange, onBlur],
  );
  return (
    <div
      role="radiogroup"
      aria-labelledby={labelId}
      aria-required={required}
      aria-invalid={attributes["aria-invalid"]}
      aria-describedby={attributes["aria-describedby"]}
    >
      <span id={labelId} className={styles.label}>
        {label}
      </span>
      {description && (
        <div id={descriptionId} className={styles.description}>
          {description}
        </div>
      )}
      <GroupContext value={context}>{children}</GroupContext>
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  );
}

interface RadioProps
  extends
    Omit<FieldTexts, "error">,
    Omit<
      ComponentProps<"input">,
      "type" | "name" | "checked" | "onChange" | "onBlur" | OwnAttributes
    > {
  value: string;
}

/** One choice of a `RadioGroup`. */
export function Radio({ label, description, value, id, ...rest }: RadioProps) {
  const group = use(GroupContext);
  if (group === null) throw new Error("A Radio is outside of a RadioGroup.");
  const { descriptionId, attributes } = useFieldAttributes({ description }, id);
  return (
    <div>
      <label className={styles.choice}>
        <input
          {...rest}
          {...attributes}
          type="radio"
          name={group.name}
          value={value}
          checked={group.value === value}
          onChange={() => group.onChange(value)}
          onBlur={group.onBlur}
        />
        <span>{label}</span>
      </label>
      {description && (
        <div id={descriptionId} className={styles.inset}>
          {description}
        </div>
      )}
    </div>
  );
}
