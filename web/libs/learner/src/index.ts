/** The learner's inventory, bookmarks, favorites and checks, shared by several domains. */
export { inventoryItemQuery, inventoryQuery, wholeInventoryQuery } from "./inventory";
export { inventoryKeys, lessonKeys, markKeys, recentKeys } from "./learnerKeys";
export {
  bookmarkedCoursesQuery,
  bookmarkQuery,
  checkQuery,
  courseMarksQuery,
  favoriteQuery,
  setMark,
} from "./marks";
export type * from "./learnerTypes";
