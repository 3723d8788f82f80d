import type { Hit, HitPage } from "../api";
import { paths, type SearchKind, searchKinds } from "@konomana/paths";
import { EmptyState, Head, Pager, ButtonLink, Group, Panel } from "@konomana/ui-base";
import { Link, useLoaderData } from "react-router";
import { pagesOf } from "../data/courseData";
import { kindNames, pathOf, type Search, type SearchData } from "./find";
import { SearchBox } from "./SearchBox";
import styles from "./SearchScreen.module.css";

/** How many results a page of one kind holds; the API decides it. */
const PAGE_SIZE = 20;

/** What the whole site has of some words, a group for each kind. */
export function SearchScreen() {
  const { search, hits } = useLoaderData<SearchData>();
  const title = search === null ? "サイト内を検索" : `「${search.q}」の検索結果`;
  return (
    <div className={styles.screen}>
      <Head title={title} />
      <h1>{title}</h1>
      <SearchBox key={search?.q ?? ""} initial={search?.q ?? ""} />
      {search === null || hits === null ? <Places /> : <Results search={search} hits={hits} />}
    </div>
  );
}

function Places() {
  return (
    <p className={styles.places}>
      講座やレッスンの名前、先生、お知らせ、よくある質問から、まとめてさがせます。
      <Link to={paths.courses()}>学年と教科から講座をさがす</Link>こともできます。
    </p>
  );
}

function Results({ search, hits }: { search: Search; hits: HitPage }) {
  const { q, kind, page } = search;
  const total = searchKinds.reduce((sum, name) => sum + hits.counts[name], 0);
  const shown = searchKinds.filter((name) => (kind ?? name) === name && hits.counts[name] > 0);
  return (
    <>
      <Kinds search={search} counts={hits.counts} total={total} />
      <p role="status">{kind === undefined ? total : hits.counts[kind]}件見つかりました。</p>
      {shown.length === 0 && <Nothing search={search} total={total} />}
      {shown.map((name) => (
        <section key={name} className={styles.group} aria-labelledby={`found-${name}`}>
          <h2 id={`found-${name}`}>
            {kindNames[name]}
            <small>{hits.counts[name]}件</small>
          </h2>
          <Hits hits={hits.results.filter((hit) => hit.kind === name)} />
          {kind === undefined && hits.counts[name] > 5 && (
            <p>
              <Link className={styles.more} to={paths.search({ q, kind: name })}>
                {kindNames[name]}をすべて見る（{hits.counts[name]}件）
              </Link>
            </p>
          )}
        </section>
      ))}
      {kind !== undefined && (
        <Pager
          page={page}
          pages={pagesOf(hits.counts[kind], PAGE_SIZE)}
          hrefFor={(number) => paths.search({ q, kind, page: number })}
        />
      )}
    </>
  );
}

interface KindsProps {
  search: Search;
  counts: Readonly<Record<SearchKind, number>>;
  total: number;
}

/** The ways to one kind alone, and back to all. */
function Kinds({ search: { q, kind }, counts, total }: KindsProps) {
  const ways = [
    { name: undefined, label: "すべて", count: total },
    ...searchKinds.map((name) => ({ name, label: kindNames[name], count: counts[name] })),
  ];
  return (
    <nav aria-label="検索結果の種類">
      <Group as="ul" gap="0.5rem" className={styles.kinds}>
        {ways.map(({ name, label, count }) => (
          <li key={label}>
            <Link
              to={paths.search({ q, kind: name })}
              aria-current={name === kind ? "page" : undefined}
              data-none={count === 0 || undefined}
            >
              {label}
              <small>{count}</small>
            </Link>
          </li>
        ))}
      </Group>
    </nav>
  );
}

function Hits({ hits }: { hits: readonly Hit[] }) {
  return (
    <Panel as="ul" variant="raised" pad="none" className={styles.hits}>
      {hits.map((hit) => (
        <li key={hit.id}>
          <h3>
            <Link to={pathOf(hit)}>{hit.title}</Link>
          </h3>
          {hit.course_name !== null && <p className={styles.course}>{hit.course_name}</p>}
          {hit.summary !== "" && <p>{hit.summary}</p>}
        </li>
      ))}
    </Panel>
  );
}

function Nothing({ search: { q, kind }, total }: { search: Search; total: number }) {
  return (
    <EmptyState
      title={`「${q}」は見つかりませんでした`}
      action={
        <>
          {kind !== undefined && total > 0 && (
            <ButtonLink to={paths.search({ q })} pill>
              ほかの種類の{total}件を見る
            </ButtonLink>
          )}
          <ButtonLink to={paths.courses()} variant="default" pill>
            学年と教科からさがす
          </ButtonLink>
        </>
      }
    >
      言葉を短くする（例：「二次関数のグラフ」→「二次関数」）、ひらがなで書く、ほかの言い方にする、のどれかを試してみてください。
    </EmptyState>
  );
}
