import { paths } from "@konomana/paths";
import { ButtonLink, Stack, Group, Page, Panel } from "@konomana/ui-base";
import { useLocation } from "react-router";
import { useBrowserValue } from "@konomana/browser";

const DESCRIPTION = "お問い合わせの受付番号と、お返事までの流れをご案内するページです。";

/**
 * The number of the sent message (`null` if the page was opened without one), and whether a receipt
 * is mailed.
 */
function useTaken(): { number: string | null; receipt: boolean } {
  const state = useLocation().state as { number?: unknown; receipt?: unknown } | null;
  const number = useBrowserValue(() => (typeof state?.number === "string" ? state.number : null));
  return { number, receipt: state?.receipt !== false };
}

/**
 * /contact/complete: the number of the message and the next steps. Without a message, a link back
 * to the form.
 */
export function ContactCompleteScreen() {
  const { number, receipt } = useTaken();
  if (number === null) {
    return (
      <Page
        title="お問い合わせの送信完了"
        description={DESCRIPTION}
        lead="送信の直後に、受付番号をここに表示します。いまは、表示できる番号がありません。"
        narrow
      >
        <p>
          お問い合わせがお済みの方は、受け付けのメールで番号をお確かめください。メールが見当たらないときは、迷惑メールのフォルダーもご覧ください。これからお問い合わせになる方は、フォームからお送りください。お返事は、平日の3日以内にメールでお送りします。
        </p>
        <p>
          <ButtonLink pill to={paths.contact()} size="lg">
            お問い合わせフォームへ
          </ButtonLink>
        </p>
      </Page>
    );
  }
  return (
    <Page title="お問い合わせを受け付けました" description={DESCRIPTION} narrow>
      <Panel variant="tint" pad="1.5rem" gap="0.25rem" align="center">
        <p>受付番号</p>
        <strong className="kn-figure kn-code">{number}</strong>
      </Panel>
      <Stack as="section" gap="sm" aria-labelledby="next">
        <h2 id="next">このあとの流れ</h2>
        <ol className="kn-bullets">
          <li>
            {receipt
              ? "受け付けのメールを、すぐにお送りします。数分たっても届かないときは、迷惑メールのフォルダーをご確認ください。"
              : "ただいま混み合っているため、受け付けのメールはお送りしません。お問い合わせは届いています。上の番号をひかえておいてください。"}
          </li>
          <li>担当者が内容を読み、平日の3日以内にメールでお返事します。</li>
          <li>続けてお問い合わせになるときは、上の番号をお知らせください。</li>
        </ol>
      </Stack>
      <Group as="p" gap="sm">
        <ButtonLink pill to={paths.home()}>
          トップへ
        </ButtonLink>
        <ButtonLink pill to={paths.answers()} variant="default">
          よくある質問を見る
        </ButtonLink>
      </Group>
    </Page>
  );
}
