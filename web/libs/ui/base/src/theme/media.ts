/** Breakpoints of `media.css` for scripts, e.g. for `useMediaQuery`. */
export const media = {
  narrow: "(width < 60em)",
  flat: "(orientation: landscape) and (height < 480px)",
} as const;
