import { type Crumb, type ScreenHandle, screens } from "@konomana/paths";
import type { ComponentType } from "react";
import type { RouteObject } from "react-router";
import { organization } from "./school/schoolStructured";

/** When what these pages say was last changed. */
const MODIFIED = "2026-11-21";

type Load = () => Promise<{ Component: ComponentType }>;

/**
 * A page that says the same to everybody. `module` is its source file from this library's folder; only the
 * prerender reads it, and only there is it given.
 */
function page(path: string, load: Load, module: string | false, ...crumbs: Crumb[]): RouteObject {
  return {
    path,
    lazy: { Component: async () => (await load()).Component },
    handle: {
      module: `libs/guide/src/${module}`,
      modified: () => MODIFIED,
      crumbs: () => crumbs,
    } satisfies ScreenHandle,
  };
}

/** A bridge reads where it leads to from the query. */
function bridge(path: string, load: Load, module: string | false): RouteObject {
  const route = page(path, load, module);
  return { ...route, handle: { ...route.handle, readsQuery: true } };
}

/** The school itself is told of on the page about it. */
function about(): RouteObject {
  const { pattern } = screens.about;
  const route = page(
    pattern,
    () => import("./school/AboutScreen"),
    import.meta.env.SSR && "school/AboutScreen.tsx",
    here(screens.about, "コノマナについて"),
  );
  const structured = import.meta.env.SSR ? organization : undefined;
  return { ...route, handle: { ...route.handle, structured } };
}

/** The step that a screen itself is. */
function here({ pattern }: { pattern: string }, label: string): Crumb {
  return { label, to: pattern };
}

const konoshiki = here(screens.konoshiki, "コノシキ");

/** The pages of the school, in the order of the table of screens. */
export const routes: RouteObject[] = [
  page(
    screens.student.pattern,
    () => import("./people/StudentScreen"),
    import.meta.env.SSR && "people/StudentScreen.tsx",
    here(screens.student, "生徒のみなさんへ"),
  ),
  page(
    screens.parent.pattern,
    () => import("./people/ParentScreen"),
    import.meta.env.SSR && "people/ParentScreen.tsx",
    here(screens.parent, "保護者の方へ"),
  ),
  about(),
  page(
    screens.konomoshi.pattern,
    () => import("./programmes/KonomoshiScreen"),
    import.meta.env.SSR && "programmes/KonomoshiScreen.tsx",
    here(screens.konomoshi, "コノ模試"),
  ),
  page(
    screens.konoshiki.pattern,
    () => import("./programmes/KonoshikiScreen"),
    import.meta.env.SSR && "programmes/KonoshikiScreen.tsx",
    konoshiki,
  ),
  page(
    screens.konoshikiEula.pattern,
    () => import("./programmes/KonoshikiEulaScreen"),
    import.meta.env.SSR && "programmes/KonoshikiEulaScreen.tsx",
    konoshiki,
    here(screens.konoshikiEula, "コノシキ利用規約"),
  ),
  page(
    screens.eula.pattern,
    () => import("./law/EulaScreen"),
    import.meta.env.SSR && "law/EulaScreen.tsx",
    here(screens.eula, "利用規約"),
  ),
  page(
    screens.privacy.pattern,
    () => import("./law/PrivacyScreen"),
    import.meta.env.SSR && "law/PrivacyScreen.tsx",
    here(screens.privacy, "プライバシーポリシー"),
  ),
  page(
    screens.commerce.pattern,
    () => import("./law/CommerceScreen"),
    import.meta.env.SSR && "law/CommerceScreen.tsx",
    here(screens.commerce, "特定商取引法に基づく表記"),
  ),
  page(
    screens.examParent.pattern,
    () => import("./campaign/ExamParentScreen"),
    import.meta.env.SSR && "campaign/ExamParentScreen.tsx",
  ),
  page(
    screens.examStudent.pattern,
    () => import("./campaign/ExamStudentScreen"),
    import.meta.env.SSR && "campaign/ExamStudentScreen.tsx",
  ),
  page(
    screens.examStudentVer1.pattern,
    () => import("./campaign/ExamStudentVer1Screen"),
    import.meta.env.SSR && "campaign/ExamStudentVer1Screen.tsx",
  ),
  page(
    screens.summer2024.pattern,
    () => import("./campaign/Summer2024Screen"),
    import.meta.env.SSR && "campaign/Summer2024Screen.tsx",
  ),
  bridge(
    screens.lineBridge.pattern,
    () => import("./bridge/LineBridgeScreen"),
    import.meta.env.SSR && "bridge/LineBridgeScreen.tsx",
  ),
  bridge(
    screens.tiktokBridge.pattern,
    () => import("./bridge/TiktokBridgeScreen"),
    import.meta.env.SSR && "bridge/TiktokBridgeScreen.tsx",
  ),
];
