/** What every page is made of: the tokens, the resets and the components that need no kit. */
import "./theme/base.css";

export { Alerts } from "./alert/Alerts";
export {
  type AlertState,
  alertStore,
  BLUE_FADE_MS,
  BLUE_SHOWN_MS,
  closeMessage,
  showBlue,
  showMessage,
} from "./alert/alert-store";
export { Button } from "./button/Button";
export { ButtonLabel } from "./button/ButtonLabel";
export { ButtonLink } from "./button/ButtonLink";
export { CloseButton, IconButton } from "./button/IconButton";
export { type Bar, BarChart } from "./chart/BarChart";
export { LineChart, type LinePoint } from "./chart/LineChart";
export { Breadcrumbs } from "./crumbs/Breadcrumbs";
export { CoverLink } from "./layout/CoverLink";
export { Grid } from "./layout/Grid";
export { Group } from "./layout/Group";
export { Lines } from "./layout/Lines";
export { Panel } from "./layout/Panel";
export { Stack } from "./layout/Stack";
export { TitledPanel } from "./layout/TitledPanel";
export { Alert } from "./notice/Alert";
export { Badge } from "./notice/Badge";
export { ProgressBar } from "./notice/ProgressBar";
export { Skeleton } from "./notice/Skeleton";
export { formatDate, formatDateTime, formatDuration, formatPrice, formatYen } from "./page/format";
export { Head } from "./page/Head";
export { Pager } from "./pager/Pager";
export { Prose } from "./prose/Prose";
export { plainText } from "./prose/read";
export { LoadingState } from "./states/LoadingState";
export { EmptyState, ErrorState, NotFoundContent } from "./states/states";
export { Note } from "./text/Note";
export { Text } from "./text/Text";
export { TextLink } from "./text/TextLink";
export { Title } from "./text/Title";
export { VisuallyHidden } from "./text/VisuallyHidden";
