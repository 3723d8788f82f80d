/** API calls and queries of my page. */
export * from "./examQuestion";
export * from "./examReviews";
export * from "./guardian";
export * from "./guardianLinks";
export * from "./guardianView";
export * from "./learningKeys";
export * from "./lecture";
export type * from "./lecture-types";
export * from "./questions";
export type * from "./questions-types";
export * from "./study";
export type * from "./study-types";
