import type { Layout } from "@konomana/paths";
import type { ComponentType } from "react";
import type { RouteObject } from "react-router";
import { DefaultLayout } from "./DefaultLayout";
import { NoneLayout } from "./NoneLayout";

const lazily = (Component: () => Promise<ComponentType>): RouteObject => ({ lazy: { Component } });

const routes: Readonly<Record<Layout, () => RouteObject>> = {
  default: () => ({ Component: DefaultLayout }),
  mypage: () => lazily(async () => (await import("./MypageLayout")).MypageLayout),
  custom: () => lazily(async () => (await import("./CustomLayout")).CustomLayout),
  lecture: () => lazily(async () => (await import("./LectureLayout")).LectureLayout),
  lecturev2: () => lazily(async () => (await import("./LectureV2Layout")).LectureV2Layout),
  test: () => lazily(async () => (await import("./TestLayout")).TestLayout),
  none: () => ({ Component: NoneLayout }),
};

/**
 * One of the seven layouts (the specification, §2) as the route around its screens, new for each router. The two of
 * the public pages are there at once; the others load with their first screen, and with those of the signed-in pages
 * the kit of the forms.
 */
export const layoutRoute = (layout: Layout): RouteObject => routes[layout]();
