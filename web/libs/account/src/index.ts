/** Sign-up, sign-in, password reset, and the screens of links in mails. */
export { screens } from "./accountScreens";
