/** The `Screen` type, and helpers with which a domain defines its screens. */
export {
  defineScreen,
  type Layout,
  layouts,
  type Scope,
  type Screen,
  type Serving,
  type ServingPer,
  type WarmArgs,
} from "./screen";
export { type ScreenHandle, toRoute } from "./route";
export {
  hasAccount,
  hasDesiredRank,
  hasIdentifier,
  hasInterview,
  hasOrder,
  hasQuestion,
  hasRefund,
  hasResult,
  hasSubscription,
  hasThread,
  type RouteParams,
} from "./params";
