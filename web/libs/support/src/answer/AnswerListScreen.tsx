import { supportKeys } from "../api";
import { useStaleWhileRevalidate } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  Button,
  ButtonLink,
  EmptyState,
  Pager,
  Stack,
  Page,
  ChipLinks,
  Panel,
  Group,
  Text,
  Title,
  Rows,
  CoverLink,
  Note,
} from "@konomana/ui-base";
import { TextField } from "@konomana/ui-kit";
import { useLoaderData, useNavigation } from "react-router";
import type { AnswerList, AnswerRow } from "../data/lists";
import { isWholeList, newest } from "../data/supportSource";
import { SearchForm } from "../parts/SearchForm";
import styles from "./AnswerListScreen.module.css";
import { ToContact } from "./ToContact";

/** /inquiry: frequently asked questions by category, with a search. */
export function AnswerListScreen() {
  const loaded = useLoaderData<AnswerList>();
  const { filters, count, pages, categories, answers } = useStaleWhileRevalidate(
    isWholeList(loaded.filters) ? supportKeys.answers : null,
    loaded,
    (signal) => newest.answers(loaded.filters, signal),
  );
  const loading = useNavigation().state === "loading";
  const { category, q } = filters;
  return (
    <Page
      title="よくある質問"
      description="コノマナについて、よくいただく質問と答えです。登録、料金、動画の見かた、退会などの疑問をここで解決できます。"
      lead="知りたいことを、ことばで検索するか、種類からおさがしください。"
      narrow
    >
      <SearchForm action={paths.answers()} key={q ?? ""}>
        <Panel variant="raised">
          <Group gap="sm" align="end" nowrap>
            <TextField
              className="kn-grow"
              name="q"
              type="search"
              enterKeyHint="search"
              label="質問をさがす"
              placeholder="例：解約　パスワード"
              defaultValue={q ?? ""}
              maxLength={100}
            />
            <Button type="submit" className="kn-fixed">
              検索
            </Button>
          </Group>
        </Panel>
      </SearchForm>
      <ChipLinks
        label="質問の種類"
        chips={[undefined, ...categories].map((option) => ({
          to: paths.answers({ category: option, q }),
          label: option ?? "すべて",
          chosen: option === category,
        }))}
        preventScrollReset
      />
      <Text bold role="status">
        {describeFilters(filters)}
        {count}件
      </Text>
      <div aria-busy={loading}>
        {answers.length === 0 ? (
          <EmptyState
            title="あてはまる質問が見つかりませんでした"
            action={
              <ButtonLink pill to={paths.answers()} variant="default">
                すべての質問を見る
              </ButtonLink>
            }
          >
            べつの言い方や、もっと短いことばでもお試しください。
          </EmptyState>
        ) : (
          <Groups answers={answers} />
        )}
      </div>
      <Pager
        page={filters.page ?? 1}
        pages={pages}
        hrefFor={(page) => paths.answers({ ...filters, page })}
      />
      <ToContact />
    </Page>
  );
}

/** The filters of the list, in words. */
function describeFilters({ category, q }: AnswerList["filters"]): string {
  const words = [
    ...(q === undefined ? [] : [`「${q}」`]),
    ...(category === undefined ? [] : [category]),
  ];
  return words.length === 0 ? "" : `${words.join("・")}：`;
}

/** The questions grouped by category. */
function Groups({ answers }: { answers: readonly AnswerRow[] }) {
  return [...Map.groupBy(answers, ({ category }) => category)].map(([category, rows]) => (
    <Stack as="section" key={category} gap="sm" mb="xl">
      <Title order={2} size="h4">
        {category}
      </Title>
      <Rows>
        {rows.map(({ id, question, helpful_count }) => (
          <li key={id} className={`kn-bold ${styles.question}`}>
            <CoverLink to={paths.answer(id)}>{question}</CoverLink>
            {helpful_count > 0 && <Note size="xs">{helpful_count}人の役に立ちました</Note>}
          </li>
        ))}
      </Rows>
    </Stack>
  ));
}
