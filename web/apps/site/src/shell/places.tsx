import type { User } from "@konomana/session";
import { paths } from "@konomana/paths";
import { hasScope } from "@konomana/session";
import type { ReactNode } from "react";
import { MenuUnread } from "./MenuUnread";
import {
  BarsIcon,
  BellIcon,
  BookIcon,
  BookmarkIcon,
  CalendarIcon,
  ClockIcon,
  FlagIcon,
  HomeIcon,
  MessageIcon,
  PaperIcon,
  PersonIcon,
  ReceiptIcon,
  SettingsIcon,
  StarIcon,
  TicketIcon,
} from "./placeIcons";

/** An entry in the menus of my page. */
interface Place {
  to: string;
  label: string;
  icon: ReactNode;
  /** Whether the paths below it belong to other entries. */
  end: boolean;
  /** A number beside the label. */
  count?: ReactNode;
  /**
   * The bar at the bottom of a phone has room for five entries. This one is only in the phone's
   * menu.
   */
  wide?: true;
}

const home: Place = { to: paths.mypage(), label: "マイページ", icon: <HomeIcon />, end: true };

const settings: Place = {
  to: paths.settings(),
  label: "設定",
  icon: <SettingsIcon />,
  end: false,
};

const recent: Place = {
  to: paths.recent(),
  label: "最近見た",
  icon: <ClockIcon />,
  end: false,
};

const orders: Place = {
  to: paths.orders(),
  label: "ご注文履歴",
  icon: <ReceiptIcon />,
  end: false,
};

const coupons: Place = {
  to: paths.coupons(),
  label: "クーポン",
  icon: <TicketIcon />,
  end: false,
};

const notices: Place = {
  to: paths.memberNotices(),
  label: "お知らせ",
  icon: <BellIcon />,
  end: false,
  count: <MenuUnread />,
  wide: true,
};

const events: Place = {
  to: paths.schoolEvents(),
  label: "イベント",
  icon: <FlagIcon />,
  end: false,
  wide: true,
};

const exams: Place = {
  to: paths.mockExams(),
  label: "模試",
  icon: <PaperIcon />,
  end: false,
};

const courses: Place = {
  to: paths.courses(),
  label: "講座をさがす",
  icon: <BookIcon />,
  end: false,
};

const learnerPlaces: readonly Place[] = [
  home,
  notices,
  { to: paths.ownedCourses(), label: "所有講座", icon: <BookIcon />, end: false },
  recent,
  { to: paths.results(), label: "問題の結果", icon: <BarsIcon />, end: false },
  {
    to: paths.teacherQuestions(),
    label: "先生に質問",
    icon: <MessageIcon />,
    end: false,
    wide: true,
  },
  {
    to: paths.classWeek(),
    label: "クラス",
    icon: <CalendarIcon />,
    end: false,
    wide: true,
  },
  {
    to: paths.interviews(),
    label: "面談",
    icon: <CalendarIcon />,
    end: false,
    wide: true,
  },
  { ...exams, wide: true },
  events,
  { to: paths.bookmarks(), label: "あとで見る", icon: <BookmarkIcon />, end: false, wide: true },
  { to: paths.favorites(), label: "お気に入り", icon: <StarIcon />, end: false, wide: true },
  { ...orders, wide: true },
  { ...coupons, wide: true },
  settings,
];

const guardianPlaces: readonly Place[] = [
  home,
  notices,
  events,
  courses,
  orders,
  coupons,
  settings,
];

const otherPlaces: readonly Place[] = [home, notices, events, courses, settings];

const visitorPlaces: readonly Place[] = [
  recent,
  courses,
  { to: paths.login(), label: "ログイン", icon: <PersonIcon />, end: false },
];

/**
 * The entries of my page for a user: courses and marks for learners, orders and coupons for buyers.
 */
export function placesOf(user: User | null): readonly Place[] {
  if (user === null) return visitorPlaces;
  if (hasScope(user, "learner")) return learnerPlaces;
  return hasScope(user, "guardian") ? guardianPlaces : otherPlaces;
}
