import { createTheme, type MantineBreakpointsValues, rem } from "@mantine/core";
import styles from "./kit.module.css";

/** Breakpoints (the specification, §9): 600, 960, 1264, 1904 and 2900 px; mobile is xs. */
export const breakpoints: MantineBreakpointsValues = {
  xs: "37.5em",
  sm: "60em",
  md: "79em",
  lg: "119em",
  xl: "181.25em",
};

const field = { defaultProps: { size: "md", withAsterisk: false } };

/**
 * The kit's theme. The primary colour is red (the specification, §9) in shade 8, the lightest on
 * which white text has a contrast of 4.5:1.
 */
export const theme = createTheme({
  primaryColor: "red",
  primaryShade: 8,
  breakpoints,
  fontFamily: "var(--kn-font)",
  headings: { fontFamily: "var(--kn-font)", fontWeight: "700" },
  defaultRadius: "md",
  radius: { md: rem(10), lg: rem(16), xl: rem(24) },
  cursorType: "pointer",
  respectReducedMotion: true,
  // By name, not by `PasswordInput.extend`: the theme must not load components that a page does not
  // use.
  components: {
    Checkbox: { defaultProps: { size: "md" } },
    Input: { defaultProps: { size: "md" }, classNames: { input: styles.input } },
    InputWrapper: { classNames: { label: styles.label, error: styles.error } },
    InputLabel: { defaultProps: { size: "md" } },
    InputError: { defaultProps: { size: "md" } },
    // The arrow is decorative.
    NativeSelect: {
      defaultProps: { ...field.defaultProps, rightSectionProps: { "aria-hidden": true } },
    },
    PasswordInput: {
      defaultProps: {
        ...field.defaultProps,
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { "aria-label": "パスワードの表示を切り替える" },
      },
      classNames: { visibilityToggle: styles.toggle },
    },
    Radio: { defaultProps: { size: "md" } },
    RadioGroup: field,
    Textarea: field,
    TextInput: field,
  },
});
