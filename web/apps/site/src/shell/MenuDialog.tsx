import { paths } from "@konomana/paths";
import { useSession } from "@konomana/session";
import { ButtonLink, Stack } from "@konomana/ui-base";
import { useEffect, useRef } from "react";
import { NavLink } from "react-router";
import styles from "./Header.module.css";
import { CloseIcon } from "./icons";
import { LogoutButton } from "./LogoutButton";
import { placesOf } from "./places";
import { siteMap } from "./site-map";

interface MenuDialogProps {
  onClose: () => void;
}

/** The menu of a phone: my page's places for who is signed in, the public site's for everybody. */
export function MenuDialog({ onClose }: MenuDialogProps) {
  const { user } = useSession();
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => drawer.current?.showModal(), []);
  // Every link in the drawer leads away, and the next page starts with it closed.
  const close = () => drawer.current?.close();
  const mine = user === null ? [] : placesOf(user);
  const own = new Set(mine.map(({ to }) => to));
  return (
    <dialog
      ref={drawer}
      className={styles.drawer}
      aria-label="メニュー"
      closedby="any"
      onClose={onClose}
    >
      <div className={styles.drawerTop}>
        <button type="button" className={styles.icon} aria-label="メニューを閉じる" onClick={close}>
          <CloseIcon />
        </button>
      </div>
      <Stack as="nav" gap="0.25rem" className={styles.places} aria-label="サイト">
        <NavLink to={paths.home()} onClick={close}>
          トップ
        </NavLink>
        {mine.map(({ to, label, end }) => (
          <NavLink key={to} to={to} end={end} onClick={close}>
            {label}
          </NavLink>
        ))}
        {siteMap
          .flatMap(({ links }) => links)
          .filter(({ to }) => !own.has(to))
          .map(({ to, label }) => (
            <NavLink key={to} to={to} onClick={close}>
              {label}
            </NavLink>
          ))}
        {user === null ? (
          <>
            <ButtonLink pill to={paths.signup()} onClick={close} size="lg">
              新規登録
            </ButtonLink>
            <ButtonLink pill to={paths.login()} onClick={close} size="lg" variant="default">
              ログイン
            </ButtonLink>
          </>
        ) : (
          <LogoutButton />
        )}
      </Stack>
    </dialog>
  );
}
