import { screens } from "@konomana/paths";
import type { RouteObject } from "react-router";

export const routes: RouteObject[] = [
  {
    path: screens.signup.pattern,
    lazy: {
      Component: async () => (await import("./signup/SignUpScreen")).Component,
      loader: async () => (await import("./signup/SignUpScreen")).loader,
    },
  },
  {
    path: screens.signupVerify.pattern,
    lazy: { Component: async () => (await import("./signup/VerifyScreen")).Component },
  },
  {
    path: screens.signupComplete.pattern,
    lazy: { Component: async () => (await import("./signup/CompleteScreen")).Component },
  },
  {
    path: screens.login.pattern,
    lazy: {
      Component: async () => (await import("./login/LoginScreen")).Component,
      loader: async () => (await import("./login/LoginScreen")).loader,
    },
  },
  {
    path: screens.password.pattern,
    lazy: { Component: async () => (await import("./password/ForgottenScreen")).Component },
  },
  {
    path: screens.passwordReset.pattern,
    lazy: { Component: async () => (await import("./password/ResetScreen")).Component },
  },
  {
    path: screens.passwordResetComplete.pattern,
    lazy: { Component: async () => (await import("./password/ResetCompleteScreen")).Component },
  },
  {
    path: screens.passwordChange.pattern,
    lazy: { Component: async () => (await import("./password/ChangeScreen")).Component },
  },
  {
    path: screens.confirmEmail.pattern,
    lazy: { Component: async () => (await import("./confirm/EmailScreen")).Component },
  },
  {
    path: screens.confirmUndo.pattern,
    lazy: { Component: async () => (await import("./confirm/UndoScreen")).Component },
  },
  {
    path: screens.confirmGuardian.pattern,
    lazy: { Component: async () => (await import("./confirm/GuardianScreen")).Component },
  },
];
