import type { Layout } from "@konomana/paths";
import type { ComponentType } from "react";
import { CustomLayout } from "./CustomLayout";
import { DefaultLayout } from "./DefaultLayout";
import { LectureLayout } from "./LectureLayout";
import { LectureV2Layout } from "./LectureV2Layout";
import { MypageLayout } from "./MypageLayout";
import { NoneLayout } from "./NoneLayout";
import { TestLayout } from "./TestLayout";

/** The seven layouts (the specification, §2) by name. */
export const layoutComponents: Readonly<Record<Layout, ComponentType>> = {
  default: DefaultLayout,
  mypage: MypageLayout,
  custom: CustomLayout,
  lecture: LectureLayout,
  lecturev2: LectureV2Layout,
  test: TestLayout,
  none: NoneLayout,
};
