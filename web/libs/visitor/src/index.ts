/** What this browser remembers of somebody without an account: their campaign, the courses viewed or wanted. */
export { laterAfterSignUp } from "./laterAfterSignUp";
export { forgetCampaign, rememberCampaign, rememberedCampaign } from "./campaign";
export {
  addRecentlyViewed,
  clearRecentlyViewed,
  type RecentCourse,
  useRecentlyViewed,
} from "./recentlyViewed";
