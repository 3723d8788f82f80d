/** What this browser remembers of somebody without an account: their campaign, the courses viewed or wanted. */
export { wantedCourse } from "./wantedCourse";
export { forgetCampaign, rememberCampaign, rememberedCampaign } from "./campaign";
export {
  addRecentlyViewed,
  clearRecentlyViewed,
  type RecentCourse,
  useRecentlyViewed,
} from "./recentlyViewed";
