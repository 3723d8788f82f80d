import { paths } from "@konomana/paths";
import { NavLink } from "react-router";
import { BookIcon, BookmarkIcon, HomeIcon, StarIcon } from "./icons";
import { LogoutButton } from "./LogoutButton";
import styles from "./MypageMenu.module.css";

const places = [
  { to: paths.mypage(), label: "マイページ", icon: <HomeIcon />, end: true },
  { to: paths.myCourses(), label: "所有講座", icon: <BookIcon />, end: false },
  { to: paths.bookmarks(), label: "あとで見る", icon: <BookmarkIcon />, end: false },
  { to: paths.favorites(), label: "お気に入り", icon: <StarIcon />, end: false },
];

/** The places of my page: at the side of a wide screen, at the bottom of a phone. */
export function MypageMenu() {
  return (
    <nav className={styles.menu} aria-label="マイページ">
      <ul>
        {places.map(({ to, label, icon, end }) => (
          <li key={to}>
            <NavLink className={styles.place} to={to} end={end}>
              {icon}
              <span>{label}</span>
            </NavLink>
          </li>
        ))}
      </ul>
      <div className={styles.logout}>
        <LogoutButton />
      </div>
    </nav>
  );
}
