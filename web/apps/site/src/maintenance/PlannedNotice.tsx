import { paths } from "@konomana/paths";
import { Suspense, useState } from "react";
import { useLocation } from "react-router";
import { lazyPart } from "../shell/lazyPart";
import { useNow } from "../shell/useNow";
import styles from "./PlannedNotice.module.css";
import { announced, putAway, readSeen } from "./planned";
import { useMaintenanceWindows } from "./useMaintenanceWindows";

const WindowNotice = lazyPart(async () => (await import("./WindowNotice")).WindowNotice);

/** It goes away when the window begins, to the minute. */
const LOOK_MS = 60_000;

/**
 * Says that the site, or a part of it, will be closed within a day. It lies over the page, at its lower
 * edge: nothing moves when it comes or goes. The screen about maintenance says it itself; a second identical request
 * would end the one of that screen.
 */
export function PlannedNotice() {
  const { pathname } = useLocation();
  // The region is always there, so that what appears in it is heard.
  return (
    <div role="status" className={styles.place} data-screen-only>
      {pathname !== paths.maintenance() && <NextWindow />}
    </div>
  );
}

function NextWindow() {
  const windows = useMaintenanceWindows();
  const [seen, setSeen] = useState<readonly string[] | null>(null);
  const now = useNow(LOOK_MS);
  // The storage is asked only where there is something to tell, so never while prerendering.
  const window = windows.length === 0 ? null : announced(windows, seen ?? readSeen(), now);
  if (window === null) return null;
  return (
    <Suspense>
      <WindowNotice window={window} onClose={() => setSeen(putAway(window, windows))} />
    </Suspense>
  );
}
