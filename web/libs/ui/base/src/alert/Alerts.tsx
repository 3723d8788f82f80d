import { useStore } from "@konomana/browser";
import { Button } from "../button/Button";
import { CloseButton } from "../button/IconButton";
import { alertStore, closeMessage } from "./alert-store";
import styles from "./Alerts.module.css";

/**
 * The alerts at the top of the window. The live regions are always in the document, so that screen
 * readers announce new alerts.
 */
export function Alerts() {
  const { message, again, blueMessage, fading } = useStore(alertStore);
  return (
    <div className={styles.stack} data-screen-only>
      <div role="status">
        {blueMessage !== null && (
          <p className={styles.blue} data-fading={fading || undefined}>
            {blueMessage}
          </p>
        )}
      </div>
      <div role="alert">
        {message !== null && (
          <div className={styles.problem}>
            <p>{message}</p>
            {again !== null && (
              <Button variant="default" size="sm" onClick={again}>
                もう一度
              </Button>
            )}
            <CloseButton aria-label="閉じる" onClick={closeMessage} />
          </div>
        )}
      </div>
    </div>
  );
}
