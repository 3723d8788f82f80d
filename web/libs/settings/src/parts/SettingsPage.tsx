import { paths } from "@konomana/paths";
import { TextLink, Head, Text, Title, Stack } from "@konomana/ui-base";
import { KitProvider } from "@konomana/ui-kit";
import type { ReactNode } from "react";

interface SettingsPageProps {
  title: string;
  /** One or two sentences on what this screen is for. */
  intro?: string;
  children: ReactNode;
}

/** What every screen below the settings has: the way back, its heading, a column that is easy to read. */
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
      <KitProvider>{children}</KitProvider>
    </Stack>
  );
}
