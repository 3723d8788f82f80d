import { paths } from "@konomana/paths";
import { ButtonLink, Panel, Group, Title } from "@konomana/ui-base";

/** The way on for those whose question has no answer here. */
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
