import { useBrowserValue } from "@konomana/browser";
import { useEffect, useState } from "react";
import {
  Button,
  Head,
  showBlue,
  showMessage,
  ButtonLink,
  Panel,
  TextLink,
  Stack,
} from "@konomana/ui-base";
import { useLocation } from "react-router";
import styles from "./Bridge.module.css";
import { type Surroundings, surroundingsOf, targetOf, wayOut } from "./outside";

interface BridgeProps {
  /** The app's common name. */
  name: string;
  /** How to leave the app's browser through its own menu, step by step. */
  steps: readonly string[];
}

/** Detects the app and system from the user agent; null during the prerender. */
function useSurroundings(): Surroundings | null {
  const userAgent = useBrowserValue(() => navigator.userAgent);
  return userAgent === null ? null : surroundingsOf(userAgent);
}

/** Landing page for links opened in an in-app browser: it leads to the default browser. */
export function Bridge({ name, steps }: BridgeProps) {
  const { search } = useLocation();
  const target = targetOf(new URLSearchParams(search));
  const surroundings = useSurroundings();
  const isOutside = surroundings !== null && surroundings.app === null;
  useEffect(() => {
    // `replace` leaves no history entry, so that going back does not return to this page.
    if (isOutside) location.replace(target);
  }, [isOutside, target]);

  const out = surroundings?.app ? wayOut(surroundings, target, location.origin) : null;
  return (
    <div className={`kn-alone ${styles.bridge}`}>
      <Head
        title="ブラウザで開く"
        description={`${name}のアプリの中からコノマナを開いた方へ。いつものブラウザで開く方法をご案内します。`}
      />
      <Mark />
      <h1 className="kn-center">いつものブラウザで開いてください</h1>
      <p>
        {name}
        のアプリの中の画面では、ログインが続かなかったり、入力した内容が消えたりすることがあります。SafariやChromeなど、いつものブラウザで開くと安心です。
      </p>
      <Stack gap="sm" className="kn-whole">
        {out !== null && (
          <ButtonLink to={out} size="lg" pill>
            ブラウザで開く
          </ButtonLink>
        )}
        <CopyButton target={target} />
      </Stack>
      <Panel variant="raised">
        <ol className="kn-bullets" aria-label={`${name}のメニューから開く方法`}>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </Panel>
      <p>
        <TextLink to={target} reloadDocument>
          このままの画面で続ける
        </TextLink>
      </p>
    </div>
  );
}

/** Copies the address. When the app forbids this, it shows the address as text to select. */
function CopyButton({ target }: { target: string }) {
  const [shown, setShown] = useState<string | null>(null);
  const copy = async () => {
    const { href } = new URL(target, location.origin);
    try {
      await navigator.clipboard.writeText(href);
      showBlue("リンクをコピーしました。ブラウザのアドレスの欄に貼りつけてください。");
    } catch {
      setShown(href);
      showMessage("コピーできませんでした。表示されたリンクを長押しして、コピーしてください。");
    }
  };
  return (
    <>
      <Button variant="default" size="lg" pill onClick={() => void copy()}>
        リンクをコピーする
      </Button>
      {shown !== null && (
        <Panel as="p" variant="tint" pad="0.5rem 1rem" className="kn-code kn-fine">
          {shown}
        </Panel>
      )}
    </>
  );
}

/** A door with an arrow out of it. */
function Mark() {
  return (
    <svg
      className={styles.mark}
      viewBox="0 0 64 64"
      width="64"
      height="64"
      aria-hidden="true"
      focusable="false"
    >
      <rect x="6" y="10" width="36" height="44" rx="6" fill="currentColor" opacity="0.18" />
      <path
        d="M30 32h26M46 20l12 12-12 12"
        fill="none"
        stroke="currentColor"
        strokeWidth="6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
