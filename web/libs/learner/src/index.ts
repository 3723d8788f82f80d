/** What a learner owns and has marked: the inventory, bookmarks, favorites and checks. Several domains show it. */
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
