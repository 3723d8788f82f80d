import { paths } from "@konomana/paths";
import { ButtonLink } from "@konomana/ui";
import { useLocation } from "react-router";
import { Page } from "../parts/Page";
import { useInBrowser } from "../parts/useInBrowser";
import styles from "./CompleteScreen.module.css";

/** What this page was opened with: the number of the message that was sent, if one was. */
function useNumber(): string | null {
  const state = useLocation().state as { number?: unknown } | null;
  return useInBrowser(() => (typeof state?.number === "string" ? state.number : null));
}

/** /contact/complete: the number of the message, and what happens next; without a message, the way back. */
export function Component() {
  const number = useNumber();
  if (number === null) {
    return (
      <Page
        title="お問い合わせの送信完了"
        lead="送信されたお問い合わせは、ここにはありません。お問い合わせは、フォームからお送りください。"
        narrow
      >
        <p>
          <ButtonLink to={paths.contact()} size="lg">
            お問い合わせフォームへ
          </ButtonLink>
        </p>
      </Page>
    );
  }
  return (
    <Page title="お問い合わせを受け付けました" narrow>
      <div className={styles.number}>
        <p>受付番号</p>
        <strong>{number}</strong>
      </div>
      <section className={styles.next} aria-labelledby="next">
        <h2 id="next">このあとの流れ</h2>
        <ol>
          <li>
            受け付けのメールを、すぐにお送りします。数分たっても届かないときは、迷惑メールのフォルダーをご確認ください。
          </li>
          <li>担当者が内容を読み、平日の3日以内にメールでお返事します。</li>
          <li>続けてお問い合わせになるときは、上の番号をお知らせください。</li>
        </ol>
      </section>
      <p className={styles.ways}>
        <ButtonLink to={paths.home()}>トップへ</ButtonLink>
        <ButtonLink to={paths.answers()} variant="default">
          よくある質問を見る
        </ButtonLink>
      </p>
    </Page>
  );
}
