import { paths } from "@konomana/paths";
import {
  formatDateTime,
  Group,
  Head,
  Text,
  Title,
  ButtonLink,
  Stack,
  Container,
} from "@konomana/ui-base";
import { useSearchParams } from "react-router";
import styles from "./close.module.css";

/** /login/closed: shown after the account was closed. */
export function AccountClosedScreen() {
  const [query] = useSearchParams();
  const until = query.get("until") ?? "";
  const end = Number.isNaN(Date.parse(until)) ? "30日後" : formatDateTime(until);
  return (
    <Container narrow className={`kn-center ${styles.closed}`}>
      <Stack align="center">
        <Head title="退会の手続きをしました" />
        <Title order={1} size="h2">
          退会の手続きをしました
        </Title>
        <Text>ご利用ありがとうございました。確認のメールをお送りしました。</Text>
        <Text>
          {end}
          までにログインすると、アカウントをもとに戻せます。それを過ぎると、個人の情報を消します。
        </Text>
        <Group justify="center">
          <ButtonLink to={paths.home()}>トップへ</ButtonLink>
          <ButtonLink to={paths.login()} variant="default">
            ログイン
          </ButtonLink>
        </Group>
      </Stack>
    </Container>
  );
}
