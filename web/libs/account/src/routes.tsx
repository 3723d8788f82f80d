import { screens } from "@konomana/paths";
import type { ComponentType } from "react";
import type { RouteObject } from "react-router";
import { visitorsOnly } from "./parts/visitorsOnly";

/** A screen that is fetched when somebody opens it. */
function screen(
  { pattern }: { pattern: string },
  load: () => Promise<{ Component: ComponentType }>,
): RouteObject {
  return { path: pattern, lazy: { Component: async () => (await load()).Component } };
}

export const routes: RouteObject[] = [
  {
    ...screen(screens.signup, () => import("./signup/SignUpScreen")),
    loader: visitorsOnly,
  },
  screen(screens.signupVerify, () => import("./signup/SignUpVerifyScreen")),
  screen(screens.signupComplete, () => import("./signup/SignUpCompleteScreen")),
  {
    ...screen(screens.login, () => import("./login/LoginScreen")),
    loader: visitorsOnly,
  },
  screen(screens.password, () => import("./password/PasswordForgottenScreen")),
  screen(screens.passwordReset, () => import("./password/PasswordResetScreen")),
  screen(screens.passwordResetForm, () => import("./password/PasswordResetFormScreen")),
  screen(screens.passwordResetComplete, () => import("./password/PasswordResetCompleteScreen")),
  screen(screens.passwordChange, () => import("./password/PasswordChangeScreen")),
  screen(screens.confirmEmail, () => import("./confirm/ConfirmEmailScreen")),
  screen(screens.confirmStop, () => import("./confirm/ConfirmStopScreen")),
  screen(screens.confirmUndo, () => import("./confirm/ConfirmUndoScreen")),
  screen(screens.confirmGuardian, () => import("./confirm/ConfirmGuardianScreen")),
  screen(screens.confirmWithdraw, () => import("./confirm/ConfirmWithdrawScreen")),
  screen(screens.confirmBirthDate, () => import("./confirm/ConfirmBirthDateScreen")),
];
