import { paths } from "@konomana/paths";
import { defineScreen } from "@konomana/screens";
import { visitorsOnly } from "./parts/visitorsOnly";

const entry = { layout: "default", serving: "client" } as const;

export const screens = [
  defineScreen({
    ...entry,
    pattern: paths.signup.pattern,
    load: visitorsOnly,
    component: async () => (await import("./signup/SignUpScreen")).SignUpScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.signupVerify.pattern,
    component: async () => (await import("./signup/SignUpVerifyScreen")).SignUpVerifyScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.signupComplete.pattern,
    component: async () => (await import("./signup/SignUpCompleteScreen")).SignUpCompleteScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.login.pattern,
    load: visitorsOnly,
    component: async () => (await import("./login/LoginScreen")).LoginScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.password.pattern,
    component: async () =>
      (await import("./password/PasswordForgottenScreen")).PasswordForgottenScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.passwordReset.pattern,
    component: async () => (await import("./password/PasswordResetScreen")).PasswordResetScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.passwordResetForm.pattern,
    component: async () =>
      (await import("./password/PasswordResetFormScreen")).PasswordResetFormScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.passwordResetComplete.pattern,
    component: async () =>
      (await import("./password/PasswordResetCompleteScreen")).PasswordResetCompleteScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.passwordChange.pattern,
    component: async () => (await import("./password/PasswordChangeScreen")).PasswordChangeScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.confirmEmail.pattern,
    component: async () => (await import("./confirm/ConfirmEmailScreen")).ConfirmEmailScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.confirmStop.pattern,
    component: async () => (await import("./confirm/ConfirmStopScreen")).ConfirmStopScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.confirmUndo.pattern,
    component: async () => (await import("./confirm/ConfirmUndoScreen")).ConfirmUndoScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.confirmGuardian.pattern,
    component: async () => (await import("./confirm/ConfirmGuardianScreen")).ConfirmGuardianScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.confirmWithdraw.pattern,
    component: async () => (await import("./confirm/ConfirmWithdrawScreen")).ConfirmWithdrawScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.confirmBirthDate.pattern,
    component: async () =>
      (await import("./confirm/ConfirmBirthDateScreen")).ConfirmBirthDateScreen,
  }),
  defineScreen({
    ...entry,
    pattern: paths.confirmUnsubscribe.pattern,
    component: async () =>
      (await import("./confirm/ConfirmUnsubscribeScreen")).ConfirmUnsubscribeScreen,
  }),
];
