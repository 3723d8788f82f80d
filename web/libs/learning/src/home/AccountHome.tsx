import type { User } from "@konomana/session";
import { paths } from "@konomana/paths";
import { Stack, Text, Title, ButtonLink, Panel, Note } from "@konomana/ui-base";

/** My page of staff: their account and their permissions. */
export function AccountHome({ user }: { user: User }) {
  return (
    <Stack gap="xl">
      <Title order={1} size="h2">
        {user.last_name} {user.first_name}さん、こんにちは
      </Title>
      <Panel as="section" aria-labelledby="account">
        <Title order={2} size="h4" id="account" mb="xs">
          ご登録の内容
        </Title>
        <Stack as="dl" gap="sm">
          <div>
            <Note as="dt">アカウントの種類</Note>
            <dd>スタッフ</dd>
          </div>
          <div>
            <Note as="dt">お名前</Note>
            <dd>
              {user.last_name} {user.first_name}（{user.last_name_kana} {user.first_name_kana}）
            </dd>
          </div>
          <div>
            <Note as="dt">メールアドレス</Note>
            <dd>{user.email}</dd>
          </div>
        </Stack>
      </Panel>
      <Panel as="section" aria-labelledby="courses">
        <Title order={2} size="h4" id="courses" mb="xs">
          講座の中身を見る
        </Title>
        <Text mb="md">公開している講座の内容を、章とレッスンまで確かめられます。</Text>
        <ButtonLink to={paths.courses()}>講座を見る</ButtonLink>
      </Panel>
    </Stack>
  );
}
