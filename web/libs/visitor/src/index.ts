/** What this browser remembers of somebody without an account: their campaign, and the courses that they viewed. */
export { forgetCampaign, rememberCampaign, rememberedCampaign } from "./campaign";
export {
  addRecentlyViewed,
  clearRecentlyViewed,
  type RecentCourse,
  useRecentlyViewed,
} from "./recentlyViewed";
