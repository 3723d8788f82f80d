import { Icon } from "@konomana/ui-base";
import { useState } from "react";
import styles from "./field.module.css";
import { TextField, type TextFieldProps } from "./TextField";

interface PasswordFieldProps extends TextFieldProps {
  /** Whether the password exists already or is a new one. */
  purpose: "current-password" | "new-password";
}

/** A password, which can be made visible. */
export function PasswordField({ purpose, ...props }: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false);
  return (
    <TextField
      autoComplete={purpose}
      label="パスワード"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={isVisible ? "text" : "password"}
      buttonsWidth="2.75rem"
      buttons={
        <button
          type="button"
          className={styles.toggle}
          aria-label="パスワードの表示を切り替える"
          aria-pressed={isVisible}
          // The field keeps the focus, so that an unfinished password is not validated.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setVisible(!isVisible)}
        >
          <Icon>
            <path d="M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7S2 12 2 12z" />
            <circle cx="12" cy="12" r="3" />
            {isVisible && <path d="M4 4l16 16" />}
          </Icon>
        </button>
      }
    />
  );
}
