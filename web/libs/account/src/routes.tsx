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
  screen(screens.signupVerify, () => import("./signup/VerifyScreen")),
  screen(screens.signupComplete, () => import("./signup/CompleteScreen")),
  {
    ...screen(screens.login, () => import("./login/LoginScreen")),
    loader: visitorsOnly,
  },
  screen(screens.password, () => import("./password/ForgottenScreen")),
  screen(screens.passwordReset, () => import("./password/ResetScreen")),
  screen(screens.passwordResetForm, () => import("./password/ResetFormScreen")),
  screen(screens.passwordResetComplete, () => import("./password/ResetCompleteScreen")),
  screen(screens.passwordChange, () => import("./password/ChangeScreen")),
  screen(screens.confirmEmail, () => import("./confirm/EmailScreen")),
  screen(screens.confirmStop, () => import("./confirm/StopScreen")),
  screen(screens.confirmUndo, () => import("./confirm/UndoScreen")),
  screen(screens.confirmGuardian, () => import("./confirm/GuardianScreen")),
  screen(screens.confirmWithdraw, () => import("./confirm/WithdrawScreen")),
  screen(screens.confirmBirthDate, () => import("./confirm/BirthDateScreen")),
];
