import { useBrowserValue } from "@konomana/browser";
import type { ListedCheck } from "@konomana/exam-card";
import { paths } from "@konomana/paths";
import { Badge, CoverLink, Grid, Note, Panel, Stack, Text, Title } from "@konomana/ui-base";
import { standingOf } from "./checkProgress";

/** The free checks by school year. A press starts one. */
export function CheckChoice({ checks }: { checks: readonly ListedCheck[] }) {
  const years = [...new Set(checks.map(({ school_year }) => school_year))];
  return (
    <>
      <Stack as="header" gap="xs">
        <Title order={1} size="h2">
          無料の実力チェック
        </Title>
        <Text>
          学年と教科をえらぶと、10問のチェックが始まります。登録はいりません。終わるとすぐに採点して、1問ずつ解説します。
        </Text>
      </Stack>
      {years.length === 0 && <Text>いま準備中です。しばらくお待ちください。</Text>}
      {years.map((year) => (
        <Stack key={year} as="section" gap="sm" aria-labelledby={`year-${year}`}>
          <Title order={2} size="h4" id={`year-${year}`}>
            {year}
          </Title>
          <Grid as="ul" min="9rem" gap="sm">
            {checks
              .filter(({ school_year }) => school_year === year)
              .map((check) => (
                <Choice key={check.id} check={check} />
              ))}
          </Grid>
        </Stack>
      ))}
    </>
  );
}

function Choice({ check: { id, subject, title, question_count } }: { check: ListedCheck }) {
  const standing = useBrowserValue(() => standingOf(id));
  return (
    <Panel as="li" variant="raised" gap="xxs">
      <CoverLink to={paths.freeCheck(id)}>
        <Text as="span" bold>
          {subject}
        </Text>
      </CoverLink>
      <Note>
        {title}・{question_count}問
      </Note>
      {standing !== null && (
        <div>
          <Badge color="teal" variant={standing === "scored" ? "filled" : "outline"}>
            {standing === "scored" ? "結果があります" : "とちゅうです"}
          </Badge>
        </div>
      )}
    </Panel>
  );
}
