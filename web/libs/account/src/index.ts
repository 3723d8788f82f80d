/** The way into an account: sign-up, login, a new password, and what links in mails confirm. */
export { screens } from "./accountScreens";
