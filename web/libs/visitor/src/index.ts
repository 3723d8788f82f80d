/** What this browser remembers of somebody without an account: their campaign, free checks, the courses viewed or wanted. */
export { freeChecks } from "./freeChecks";
export { wantedCourse } from "./wantedCourse";
export { forgetCampaign, rememberCampaign, rememberedCampaign } from "./campaign";
export {
  addRecentlyViewed,
  clearRecentlyViewed,
  type RecentCourse,
  useRecentlyViewed,
} from "./recentlyViewed";
