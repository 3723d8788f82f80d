/** Components and hooks for queries and mutations: loading, errors, pages and confirmation. */
export { combineQueries } from "./combineQueries";
export { ConfirmButton } from "./ConfirmButton";
export { FailureAlert } from "./FailureAlert";
export { findRefetchInterval } from "./findRefetchInterval";
export { keepComposing } from "./keepComposing";
export { PagedList } from "./PagedList";
export { QueryBoundary, type QueryState } from "./QueryBoundary";
export { SaveFileButton } from "./SaveFileButton";
export { type Refusals, SaveForm, wrongPassword } from "./SaveForm";
export { useCountdown } from "./useCountdown";
export { useMark, useShowInList } from "./useMark";
export { useAtServerTime } from "./useAtServerTime";
export { pageIn, usePaged } from "./usePaged";
export { useStaleWhileRevalidate } from "./useStaleWhileRevalidate";
