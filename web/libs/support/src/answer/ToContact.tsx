import { paths } from "@konomana/paths";
import { ButtonLink, Panel, Group, Title } from "@konomana/ui-base";

/** Link to the contact form, for people whose question is not answered. */
export function ToContact() {
  return (
    <Panel as="section" variant="tint" pad="lg" aria-labelledby="to-contact">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4" id="to-contact">
            解決しないときは
          </Title>
          <p>お問い合わせフォームから、お気軽にご質問ください。メールでお返事します。</p>
        </div>
        <ButtonLink pill to={paths.contact()}>
          お問い合わせへ
        </ButtonLink>
      </Group>
    </Panel>
  );
}
