/** Base UI library: design tokens, resets, and the components that do not need the kit. */
import "./theme/base.css";
import "./theme/pieces.css";

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
export { ButtonLink } from "./button/ButtonLink";
export { FileInput } from "./button/FileInput";
export { CloseButton, IconButton } from "./button/IconButton";
export { type Bar, BarChart } from "./chart/BarChart";
export { LineChart, type LinePoint } from "./chart/LineChart";
export { Checkbox } from "./checkbox/Checkbox";
export { Breadcrumbs } from "./crumbs/Breadcrumbs";
export { Icon } from "./icon/Icon";
export { classes } from "./layout/classes";
export { Container } from "./layout/Container";
export { CoverLink } from "./layout/CoverLink";
export { Grid } from "./layout/Grid";
export { Group } from "./layout/Group";
export { Lines } from "./layout/Lines";
export { Page } from "./layout/Page";
export { Panel } from "./layout/Panel";
export { Rows } from "./layout/Rows";
export { Stack } from "./layout/Stack";
export { TitledPanel } from "./layout/TitledPanel";
export { type ChipLink, ChipLinks } from "./links/ChipLinks";
export { Neighbours } from "./links/Neighbours";
export { type Tab, Tabs } from "./links/Tabs";
export { WeekLinks } from "./links/WeekLinks";
export { Alert } from "./notice/Alert";
export { Badge } from "./notice/Badge";
export { ProgressBar } from "./notice/ProgressBar";
export { Skeleton } from "./notice/Skeleton";
export { Tag } from "./notice/Tag";
export { formatClock } from "./page/clock";
export {
  formatDate,
  formatDateTime,
  formatDuration,
  formatLastDay,
  formatPrice,
  formatSaleEnd,
  formatYen,
} from "./page/format";
export { Head } from "./page/Head";
export { addDays, formatPeriod, formatTime } from "./page/calendarTime";
export { Pager, StepPager } from "./pager/Pager";
export { installTrustedTypes } from "./page/trusted-types";
export { Prose } from "./prose/Prose";
export { plainText } from "./prose/read";
export { LoadingState } from "./states/LoadingState";
export { EmptyState, ErrorState, NotFoundContent } from "./states/states";
export { media } from "./theme/media";
export { CharacterCount } from "./text/CharacterCount";
export { Note } from "./text/Note";
export { Text } from "./text/Text";
export { TextLink } from "./text/TextLink";
export { Title } from "./text/Title";
export { VisuallyHidden } from "./text/VisuallyHidden";
