/** The notices for the signed-in person. */
export { memberNoticeScreens } from "./memberNoticeScreens";
