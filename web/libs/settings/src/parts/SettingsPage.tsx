import { paths } from "@konomana/paths";
import { TextLink, Head, Text, Title, Stack } from "@konomana/ui-base";
import type { ReactNode } from "react";

interface SettingsPageProps {
  title: string;
  /** One or two sentences on the purpose of the screen. */
  intro?: string;
  children: ReactNode;
}

/** The layout of every settings screen: a back link, the heading, and a narrow column. */
export function SettingsPage({ title, intro, children }: SettingsPageProps) {
  return (
    <Stack gap="lg" className="kn-column">
      <Head title={title} />
      <TextLink to={paths.settings()} className="kn-start">
        ← 設定にもどる
      </TextLink>
      <Title order={1} size="h2">
        {title}
      </Title>
      {intro !== undefined && <Text dimmed>{intro}</Text>}
      {children}
    </Stack>
  );
}
