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
import { useCloseOnBack } from "./useCloseOnBack";

const WAY = "kn-way kn-bold";

interface MenuDialogProps {
  onClose: () => void;
}

/** The menu on a phone: the places of my page for signed-in users, and the public site for all. */
export function MenuDialog({ onClose }: MenuDialogProps) {
  const { user } = useSession();
  const drawer = useRef<HTMLDialogElement>(null);
  useEffect(() => drawer.current?.showModal(), []);
  const close = () => drawer.current?.close();
  const { onClosed, onFollowed } = useCloseOnBack(close);
  // Every link in the drawer opens another page, and the drawer closes.
  const follow = () => {
    onFollowed();
    close();
  };
  const mine = user === null ? [] : placesOf(user);
  const own = new Set(mine.flatMap(({ to, label }) => [to, label]));
  return (
    <dialog
      ref={drawer}
      className={styles.drawer}
      aria-label="メニュー"
      closedby="any"
      onClose={() => {
        onClosed();
        onClose();
      }}
    >
      <Stack as="nav" gap="0.25rem" aria-label="サイト">
        <button
          type="button"
          className={`kn-push ${styles.icon}`}
          aria-label="メニューを閉じる"
          onClick={close}
        >
          <CloseIcon />
        </button>
        <NavLink className={WAY} replace to={paths.home()} onClick={follow}>
          トップ
        </NavLink>
        {mine.map(({ to, label, end, count }) => (
          <NavLink className={WAY} replace key={to} to={to} end={end} onClick={follow}>
            {label} {count}
          </NavLink>
        ))}
        {siteMap
          .flatMap(({ links }) => links)
          // The notices of my page include the public ones.
          .filter(({ to, label }) => !own.has(to) && !own.has(label))
          .map(({ to, label }) => (
            <NavLink className={WAY} replace key={to} to={to} onClick={follow}>
              {label}
            </NavLink>
          ))}
        {user === null ? (
          <>
            <ButtonLink pill replace to={paths.signup()} onClick={follow} size="lg">
              新規登録
            </ButtonLink>
            <ButtonLink
              pill
              replace
              to={paths.login()}
              onClick={follow}
              size="lg"
              variant="default"
            >
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
