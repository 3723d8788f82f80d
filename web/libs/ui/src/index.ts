/** What the site is made of: the kit with its stylesheets, the theme, fields, alerts, states, pager. */
// The theme comes first: its stylesheets are what the kit's build upon.
export { UiProvider } from "./theme/UiProvider";
export * from "./kit";
export { breakpoints, theme } from "./theme/theme";
export {
  type AlertState,
  alertStore,
  BLUE_FADE_MS,
  BLUE_SHOWN_MS,
  closeMessage,
  showBlue,
  showMessage,
} from "./alert/alert-store";
export { Breadcrumbs } from "./crumbs/Breadcrumbs";
export { type Bar, BarChart } from "./chart/BarChart";
export { LineChart, type LinePoint } from "./chart/LineChart";
export { ButtonLink } from "./button/ButtonLink";
export { PlainButton } from "./button/PlainButton";
export { formatDate, formatDateTime, formatDuration, formatPrice, formatYen } from "./page/format";
export { EmailField, PasswordField, TextAreaField, TextField } from "./fields/fields";
export { Head } from "./page/Head";
export { Pager } from "./pager/Pager";
export { Prose } from "./prose/Prose";
export { plainText } from "./prose/read";
export { LoadingState } from "./states/LoadingState";
export { EmptyState, ErrorState, NotFoundContent } from "./states/states";
