import { useSession } from "@konomana/session";
import { NavLink } from "react-router";
import { LogoutButton } from "./LogoutButton";
import styles from "./MypageMenu.module.css";
import { placesOf } from "./places";

/** The places of my page: at the side of a wide screen, at the bottom of a phone. */
export function MypageMenu() {
  const { user } = useSession();
  return (
    <nav className={styles.menu} data-screen-only aria-label="マイページ">
      <ul>
        {placesOf(user).map(({ to, label, icon, end, wide }) => (
          <li key={to} data-wide={wide}>
            <NavLink className={styles.place} to={to} end={end}>
              {icon}
              <span>{label}</span>
            </NavLink>
          </li>
        ))}
      </ul>
      {user !== null && (
        <div className={styles.logout}>
          <LogoutButton />
        </div>
      )}
    </nav>
  );
}
