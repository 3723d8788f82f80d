import { createTheme, type MantineBreakpointsValues, rem } from "@mantine/core";

/** Where layouts change (the specification, §9): 600, 960, 1264, 1904 and 2900 px; mobile is xs. */
export const breakpoints: MantineBreakpointsValues = {
  xs: "37.5em",
  sm: "60em",
  md: "79em",
  lg: "119em",
  xl: "181.25em",
};

/** Faces that Japanese readers have at hand; nothing is downloaded to show text. */
const fontFamily =
  '"Hiragino Sans", "Hiragino Kaku Gothic ProN", "BIZ UDPGothic", "Noto Sans JP", "Noto Sans CJK JP", "Yu Gothic UI", Meiryo, sans-serif';

/**
 * The look of the site. The primary colour is red (the specification, §9) in shade 8, the lightest
 * on which white text reaches a contrast of 4.5:1.
 */
export const theme = createTheme({
  primaryColor: "red",
  primaryShade: 8,
  breakpoints,
  fontFamily,
  headings: { fontFamily, fontWeight: "700" },
  defaultRadius: "md",
  radius: { md: rem(10), lg: rem(16), xl: rem(24) },
  cursorType: "pointer",
  respectReducedMotion: true,
  // By name, not by `PasswordInput.extend`: the theme must not load components that a page lacks.
  components: {
    // The arrow beside a choice says nothing to who can't see it.
    NativeSelect: { defaultProps: { rightSectionProps: { "aria-hidden": true } } },
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { "aria-label": "パスワードの表示を切り替える" },
      },
    },
  },
});
