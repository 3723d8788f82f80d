import { useRef, type ChangeEvent, type CompositionEvent } from "react";
import type { FieldProps } from "./props";
import { Reading } from "./Reading";

/**
 * Fills the kana field while the name beside it is typed, unless the person has changed the kana.
 * Returns the event handlers for the name's input.
 */
export function useReading(name: FieldProps, kana: FieldProps) {
  const reading = useRef<Reading | null>(null);
  reading.current ??= new Reading(kana.value);
  const filled = useRef(kana.value ?? "");
  const composing = useRef(false);

  const learn = (change: (reading: Reading) => void) => {
    if (!reading.current) return;
    change(reading.current);
    const { text } = reading.current;
    const untouched = (kana.value ?? "") === filled.current;
    if (text === null || text === filled.current || !untouched) return;
    filled.current = text;
    kana.onChange(text);
  };

  return {
    onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) => {
      name.onChange(value);
      if (!composing.current) learn((known) => known.settle(value));
    },
    onCompositionStart: () => {
      composing.current = true;
    },
    onCompositionUpdate: ({ data }: CompositionEvent) => reading.current?.compose(data),
    onCompositionEnd: ({ data, currentTarget }: CompositionEvent<HTMLInputElement>) => {
      composing.current = false;
      const { value } = currentTarget;
      learn((known) => known.commit(data, value));
    },
  };
}
