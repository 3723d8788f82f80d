/** Chunks that load on a user action. All others count. */
const ON_DEMAND = [
  // Other domains and screens, with their data, layouts and queries.
  /\/src\/index\.ts$/,
  /Screen\.tsx?$/,
  /\/list\/loadLists\.ts$/,
  /(?:\/search\/find\.ts$|^_find-)/,
  /Layout\.tsx$/,
  /\/queryClient\.tsx$/,
  // Opened by a button.
  /\/MenuDialog\.tsx$/,
  /\/catalog\/src\/search\.ts$/,
  /\/QrCode\.tsx$/,
  // Only for signed-in users.
  /\/cart\/src\/badge\.ts$/,
  // Loaded with the navigation to a lesson, whose screen imports it too.
  /(?:\/ui\/base\/src\/video\/index\.ts$|^_video-)/,
  // Only for the screens of a sitting, which also import it statically.
  /^_(?:sitting|sheetCopy)-/,
  // Only after the session has ended during an exam.
  /\/LoginAgain\.tsx$/,
  // Only for guardians.
  /\/LinkChild\.tsx$/,
  // Only for texts with formulas.
  /\/tex\/draw\.ts$/,
  // Only within a day before a maintenance.
  /\/WindowNotice\.tsx$/,
];

/** Whether the chunk with this key of the manifest loads on a user action. */
export function isOnDemand(key: string): boolean {
  return ON_DEMAND.some((pattern) => pattern.test(key));
}
