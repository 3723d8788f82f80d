import { paths } from "@konomana/paths";
import { Suspense, useState } from "react";
import { useLocation } from "react-router";
import { lazyPart } from "../shell/lazyPart";
import { useNow } from "../shell/useNow";
import styles from "./PlannedNotice.module.css";
import { announced, putAway, readSeen } from "./planned";
import { useMaintenanceWindows } from "./useMaintenanceWindows";

const WindowNotice = lazyPart(async () => (await import("./WindowNotice")).WindowNotice);

/** Update interval. The notice disappears within a minute after the window begins. */
const LOOK_MS = 60_000;

/**
 * Announces that the site or a part of it will be closed within a day. It lies over the lower edge
 * of the page, so it causes no layout shift. The maintenance screen shows the information itself,
 * and an identical second request would abort that screen's request.
 */
export function PlannedNotice() {
  const { pathname } = useLocation();
  // The live region is always present, so screen readers announce its new content.
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
  // Reads the storage only if there is a window to announce, so never in the prerender.
  const window = windows.length === 0 ? null : announced(windows, seen ?? readSeen(), now);
  if (window === null) return null;
  return (
    <Suspense>
      <WindowNotice window={window} onClose={() => setSeen(putAway(window, windows))} />
    </Suspense>
  );
}
