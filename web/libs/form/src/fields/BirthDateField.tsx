import { Group } from "@konomana/ui-base";
import { FieldError, FieldLabel, Input } from "@konomana/ui-kit";
import { type FocusEvent, useId, useRef } from "react";
import styles from "./BirthDateField.module.css";
import type { FieldProps } from "./props";

const parts = [
  { name: "year", word: "年", autoComplete: "bday-year", length: 4, placeholder: "2011" },
  { name: "month", word: "月", autoComplete: "bday-month", length: 2, placeholder: "4" },
  { name: "day", word: "日", autoComplete: "bday-day", length: 2, placeholder: "1" },
] as const;

/**
 * 生年月日 in three text fields, which are faster than a calendar for a distant date. The value is the
 * typed text joined by hyphens: `2011-4-1`.
 */
export function BirthDateField({ value = "", onChange, onBlur, error }: FieldProps) {
  const id = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  const typed = value.split("-");

  const change = (index: number, text: string) => {
    const next = parts.map((_, at) =>
      at === index ? text.replaceAll("-", "") : (typed[at] ?? ""),
    );
    onChange(next.every((part) => part === "") ? "" : next.join("-"));
  };
  const leave = (event: FocusEvent) => {
    if (!group.current?.contains(event.relatedTarget)) onBlur?.(event as never);
  };

  return (
    <fieldset ref={group} aria-describedby={error ? id : undefined}>
      <legend>
        <FieldLabel>生年月日</FieldLabel>
      </legend>
      <Group gap="sm" nowrap>
        {parts.map(({ name, word, autoComplete, length, placeholder }, index) => (
          <label key={name} className={styles.part} data-part={name}>
            <Input
              name={`bday-${name}`}
              value={typed[index] ?? ""}
              onChange={(event) => change(index, event.currentTarget.value)}
              onBlur={leave}
              inputMode="numeric"
              autoComplete={autoComplete}
              maxLength={length}
              placeholder={placeholder}
              required
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? id : undefined}
              data-path={index === 0 ? "birth_date" : undefined}
            />
            <span>{word}</span>
          </label>
        ))}
      </Group>
      {error && <FieldError id={id}>{error}</FieldError>}
    </fieldset>
  );
}
