/**
 * Data that this browser stores for a visitor: the campaign, free checks, and viewed or wanted
 * courses.
 */
export { freeChecks } from "./storedFreeChecks";
export { wantedCourse } from "./wantedCourse";
export { forgetCampaign, rememberCampaign, rememberedCampaign } from "./campaign";
export {
  addRecentlyViewed,
  clearRecentlyViewed,
  type RecentCourse,
  useRecentlyViewed,
} from "./recentlyViewed";
