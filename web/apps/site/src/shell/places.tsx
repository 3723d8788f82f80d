import type { User } from "@konomana/api";
import { paths } from "@konomana/paths";
import { hasScope } from "@konomana/session";
import type { ReactNode } from "react";
import { BookIcon, BookmarkIcon, HomeIcon, SettingsIcon, StarIcon } from "./icons";

/** A place of my page as its menus show it. */
interface Place {
  to: string;
  label: string;
  icon: ReactNode;
  /** Whether the paths below it belong to other places. */
  end: boolean;
}

const home: Place = { to: paths.mypage(), label: "マイページ", icon: <HomeIcon />, end: true };

const settings: Place = {
  to: paths.settings(),
  label: "設定",
  icon: <SettingsIcon />,
  end: false,
};

const learnerPlaces: readonly Place[] = [
  home,
  { to: paths.myCourses(), label: "所有講座", icon: <BookIcon />, end: false },
  { to: paths.bookmarks(), label: "あとで見る", icon: <BookmarkIcon />, end: false },
  { to: paths.favorites(), label: "お気に入り", icon: <StarIcon />, end: false },
  settings,
];

const otherPlaces: readonly Place[] = [
  home,
  { to: paths.courses(), label: "講座をさがす", icon: <BookIcon />, end: false },
  settings,
];

/** The places of my page that are open to a person: courses and marks are those of learners. */
export function placesOf(user: User | null): readonly Place[] {
  return hasScope(user, "learner") ? learnerPlaces : otherPlaces;
}
