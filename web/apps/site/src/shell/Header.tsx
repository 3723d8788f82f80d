import type { User } from "@konomana/api";
import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { ButtonLink } from "@konomana/ui";
import { useRef } from "react";
import { NavLink } from "react-router";
import { Brand } from "./Brand";
import styles from "./Header.module.css";
import { CloseIcon, MenuIcon } from "./icons";
import { LogoutButton } from "./LogoutButton";
import { placesOf } from "./places";

/** The header of every page that has one: a row of links on a wide screen, a drawer on a phone. */
export function Header() {
  const { user } = useSession();
  return (
    <header className={styles.header}>
      <div className={styles.inner}>
        <Brand />
        <nav className={styles.links} aria-label="サイト">
          <NavLink className={styles.link} to={paths.courses()}>
            講座をさがす
          </NavLink>
          {user ? (
            <ButtonLink to={paths.mypage()}>マイページ</ButtonLink>
          ) : (
            <>
              <ButtonLink to={paths.login()} variant="default">
                ログイン
              </ButtonLink>
              <ButtonLink to={paths.signup()}>新規登録</ButtonLink>
            </>
          )}
        </nav>
        <MobileMenu user={user} />
      </div>
    </header>
  );
}

function MobileMenu({ user }: { user: User | null }) {
  const drawer = useRef<HTMLDialogElement>(null);
  // Every link in the drawer leads away, and the next page starts with it closed.
  const close = () => drawer.current?.close();
  return (
    <div className={styles.mobile}>
      <button
        type="button"
        className={styles.icon}
        onClick={() => drawer.current?.showModal()}
        aria-label="メニューを開く"
        aria-haspopup="dialog"
      >
        <MenuIcon />
      </button>
      <dialog ref={drawer} className={styles.drawer} aria-label="メニュー" closedby="any">
        <div className={styles.drawerTop}>
          <button
            type="button"
            className={styles.icon}
            aria-label="メニューを閉じる"
            onClick={close}
          >
            <CloseIcon />
          </button>
        </div>
        <nav className={styles.places} aria-label="サイト">
          <NavLink to={paths.home()} onClick={close}>
            トップ
          </NavLink>
          <NavLink to={paths.courses()} onClick={close}>
            講座をさがす
          </NavLink>
          {user ? (
            <>
              {placesOf(user)
                .filter(({ to }) => to !== paths.courses())
                .map(({ to, label, end }) => (
                  <NavLink key={to} to={to} end={end} onClick={close}>
                    {label}
                  </NavLink>
                ))}
              <LogoutButton />
            </>
          ) : (
            <>
              <ButtonLink to={paths.signup()} onClick={close} size="lg">
                新規登録
              </ButtonLink>
              <ButtonLink to={paths.login()} onClick={close} size="lg" variant="default">
                ログイン
              </ButtonLink>
            </>
          )}
        </nav>
      </dialog>
    </div>
  );
}
