/** Calls to the server as people meet them: on their way, answered, failed; and asked about twice where they destroy. */
export { AskButton } from "./AskButton";
export { Loaded, type Loadable } from "./Loaded";
export { useMark, useShowInList } from "./useMark";
export { useNewest } from "./useNewest";
export { type Refusals, SaveForm, wrongPassword } from "./SaveForm";
