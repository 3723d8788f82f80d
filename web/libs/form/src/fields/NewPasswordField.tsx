import { PasswordField } from "@konomana/ui";
import { useEffect, useState } from "react";
import { lengthOf } from "../rules/text";
import { STRONG_ENOUGH, type Strength, strengthOf } from "../strength/strength";
import styles from "./NewPasswordField.module.css";
import type { FieldProps } from "./props";

interface NewPasswordFieldProps extends FieldProps {
  /** What is known of the person, which a guesser would try first: mail address, names. */
  against?: readonly string[];
  name?: string;
  label?: string;
}

const NOTHING: readonly string[] = [];
const LEAST = 10;
const words = ["とても弱い", "弱い", "もう少し", "強い", "とても強い"] as const;

/** A password to be: how strong it is while it is typed, and what makes it weak. */
export function NewPasswordField({
  against = NOTHING,
  name = "password",
  label = "パスワード",
  ...field
}: NewPasswordFieldProps) {
  const strength = useStrength(field.value ?? "", against);
  return (
    <div>
      <PasswordField
        {...field}
        onChange={(event) => field.onChange(event.currentTarget.value)}
        purpose="new-password"
        name={name}
        label={label}
        description="10文字以上。記号や大文字がなくても、長ければ大丈夫です。"
        required
        withAsterisk={false}
      />
      <Meter strength={strength} short={lengthOf(field.value ?? "") < LEAST} />
    </div>
  );
}

/** The meter has its room before there is a judgement: it comes late and may not push away what is being clicked. */
function Meter({ strength, short }: { strength: Strength | null; short: boolean }) {
  const score = strength?.score ?? 0;
  const shown = short ? Math.min(score, STRONG_ENOUGH - 1) : score;
  const lit = strength === null ? 0 : Math.max(1, shown);
  const reasons = strength?.reasons ?? [];
  return (
    <div className={styles.meter}>
      <div className={styles.bars} data-score={shown} aria-hidden="true">
        {words.slice(1).map((word, at) => (
          <span key={word} data-on={at < lit || undefined} />
        ))}
      </div>
      <div role="status">
        {strength && (
          <p>
            パスワードの強さ：<strong>{words[shown]}</strong>
          </p>
        )}
        {reasons.length > 0 && (
          <ul className={styles.reasons}>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** How strong the typed password is; null while nothing is typed or nobody knows. */
function useStrength(password: string, against: readonly string[]): Strength | null {
  const [judged, setJudged] = useState<{ of: string; strength: Strength } | null>(null);
  const known = against.join("\n");
  useEffect(() => {
    let current = true;
    if (password !== "")
      strengthOf(password, known.split("\n")).then(
        (strength) => current && setJudged({ of: password, strength }),
        // Without its dictionaries the field says nothing; the server judges in any case.
        () => {},
      );
    return () => {
      current = false;
    };
  }, [password, known]);
  return password === "" ? null : (judged?.strength ?? null);
}
