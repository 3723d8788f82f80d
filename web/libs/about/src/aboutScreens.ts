import { type ExamCard, examSource } from "@konomana/exam-card";
import { type Crumb, paths } from "@konomana/paths";
import { defineScreen } from "@konomana/screens";
import { organization } from "./school/schoolStructured";

/** The day on which the text of these pages was last changed. */
const MODIFIED = "2026-11-25";

/** A page with the same content for everyone. */
const page = {
  layout: "default",
  serving: "prerendered",
  queries: false,
  modified: () => MODIFIED,
} as const;

/** A bridge page, which reads its target from the query. */
const bridge = {
  layout: "none",
  serving: "prerendered",
  hidden: true,
  queries: false,
  readsQuery: true,
  modified: () => MODIFIED,
} as const;

const konoshiki: Crumb = { label: "コノシキ", to: paths.konoshiki() };

/** The screens of this library. */
export const screens = [
  defineScreen({
    ...page,
    pattern: paths.student.pattern,
    component: async () => (await import("./people/StudentScreen")).StudentScreen,
    crumbs: () => [{ label: "生徒のみなさんへ", to: paths.student() }],
  }),
  defineScreen({
    ...page,
    pattern: paths.parent.pattern,
    component: async () => (await import("./people/ParentScreen")).ParentScreen,
    crumbs: () => [{ label: "保護者の方へ", to: paths.parent() }],
  }),
  defineScreen({
    ...page,
    pattern: paths.about.pattern,
    component: async () => (await import("./school/AboutScreen")).AboutScreen,
    crumbs: () => [{ label: "コノマナについて", to: paths.about() }],
    // Left out of the browser bundle: only the prerender uses it.
    ...(import.meta.env.SSR && { structured: organization }),
  }),
  defineScreen<readonly ExamCard[]>({
    layout: "default",
    serving: "prerendered",
    pattern: paths.konomoshi.pattern,
    load: ({ context, request }) => context.get(examSource).exams(request.signal),
    component: async () => (await import("./programmes/KonomoshiScreen")).KonomoshiScreen,
    crumbs: () => [{ label: "コノ模試", to: paths.konomoshi() }],
  }),
  defineScreen({
    ...page,
    pattern: paths.konoshiki.pattern,
    component: async () => (await import("./programmes/KonoshikiScreen")).KonoshikiScreen,
    crumbs: () => [konoshiki],
  }),
  defineScreen({
    ...page,
    pattern: paths.konoshikiEula.pattern,
    component: async () => (await import("./programmes/KonoshikiEulaScreen")).KonoshikiEulaScreen,
    crumbs: () => [konoshiki, { label: "コノシキ利用規約", to: paths.konoshikiEula() }],
  }),
  defineScreen({
    ...page,
    pattern: paths.eula.pattern,
    component: async () => (await import("./law/EulaScreen")).EulaScreen,
    crumbs: () => [{ label: "利用規約", to: paths.eula() }],
  }),
  defineScreen({
    ...page,
    pattern: paths.privacy.pattern,
    component: async () => (await import("./law/PrivacyScreen")).PrivacyScreen,
    crumbs: () => [{ label: "プライバシーポリシー", to: paths.privacy() }],
  }),
  defineScreen({
    ...page,
    pattern: paths.commerce.pattern,
    component: async () => (await import("./law/CommerceScreen")).CommerceScreen,
    crumbs: () => [{ label: "特定商取引法に基づく表記", to: paths.commerce() }],
  }),
  defineScreen({
    ...page,
    pattern: paths.examParent.pattern,
    component: async () => (await import("./campaign/ExamParentScreen")).ExamParentScreen,
  }),
  defineScreen({
    ...page,
    pattern: paths.examStudent.pattern,
    component: async () => (await import("./campaign/ExamStudentScreen")).ExamStudentScreen,
  }),
  defineScreen({
    ...page,
    pattern: paths.examStudentVer1.pattern,
    component: async () => (await import("./campaign/ExamStudentVer1Screen")).ExamStudentVer1Screen,
  }),
  defineScreen({
    ...page,
    pattern: paths.summer2024.pattern,
    component: async () => (await import("./campaign/Summer2024Screen")).Summer2024Screen,
  }),
  defineScreen({
    ...bridge,
    pattern: paths.lineBridge.pattern,
    component: async () => (await import("./bridge/LineBridgeScreen")).LineBridgeScreen,
  }),
  defineScreen({
    ...bridge,
    pattern: paths.tiktokBridge.pattern,
    component: async () => (await import("./bridge/TiktokBridgeScreen")).TiktokBridgeScreen,
  }),
];
