import { useSession } from "@konomana/session";
import { Stack } from "@konomana/ui-base";
import { NavLink } from "react-router";
import { LogoutButton } from "./LogoutButton";
import styles from "./MypageMenu.module.css";
import { placesOf } from "./places";

/** The menu of my page: at the side of a wide screen, at the bottom of a phone. */
export function MypageMenu() {
  const { user } = useSession();
  return (
    <nav className={`kn-sticky ${styles.menu}`} data-screen-only aria-label="マイページ">
      <Stack as="ul" gap="0rem" className={styles.places}>
        {placesOf(user).map(({ to, label, icon, end, count, wide }) => (
          <li key={to} data-wide={wide}>
            <NavLink className={`kn-way kn-bold ${styles.place}`} to={to} end={end}>
              {icon}
              <span>{label}</span>
              {count}
            </NavLink>
          </li>
        ))}
      </Stack>
      {user !== null && (
        <div data-wide>
          <LogoutButton />
        </div>
      )}
    </nav>
  );
}
