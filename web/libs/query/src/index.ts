/** Queries and mutations as people meet them: loading, answered, failed; and confirmed where they destroy. */
export { combineQueries } from "./combineQueries";
export { ConfirmButton } from "./ConfirmButton";
export { QueryBoundary, type QueryState } from "./QueryBoundary";
export { type Refusals, SaveForm, wrongPassword } from "./SaveForm";
export { useMark, useShowInList } from "./useMark";
export { useStaleWhileRevalidate } from "./useStaleWhileRevalidate";
