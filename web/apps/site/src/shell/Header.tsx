import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { ButtonLink, Group } from "@konomana/ui-base";
import { NavLink } from "react-router";
import { Brand } from "./Brand";
import styles from "./Header.module.css";
import { HeaderCart } from "./HeaderCart";
import { HeaderSearch } from "./HeaderSearch";
import { Menu } from "./Menu";

const links = [
  { to: paths.courses(), label: "講座をさがす" },
  { to: paths.student(), label: "生徒のみなさんへ" },
  { to: paths.parent(), label: "保護者の方へ" },
] as const;

/** The header: a row of links on a wide screen, a drawer on a phone. */
export function Header() {
  const { user } = useSession();
  return (
    <header className={styles.header} data-screen-only>
      <Group
        justify="space-between"
        nowrap
        gap="clamp(0rem, 1.25vw, 1rem)"
        className={`kn-container ${styles.inner}`}
      >
        <Brand />
        <HeaderSearch />
        <nav className={styles.links} aria-label="サイト">
          {links.map(({ to, label }) => (
            <NavLink key={to} className={styles.link} to={to}>
              {label}
            </NavLink>
          ))}
          {user ? (
            <ButtonLink pill to={paths.mypage()}>
              マイページ
            </ButtonLink>
          ) : (
            <>
              <ButtonLink pill to={paths.login()} variant="default">
                ログイン
              </ButtonLink>
              <ButtonLink pill to={paths.signup()}>
                新規登録
              </ButtonLink>
            </>
          )}
        </nav>
        <HeaderCart />
        <Menu />
      </Group>
    </header>
  );
}
