import type { Hit, HitPage } from "../api";
import { CartButton, productOffersQuery, useUsableItems } from "@konomana/cart";
import { paths, type SearchKind, searchKinds } from "@konomana/paths";
import { useQuery } from "@tanstack/react-query";
import { Link, useLoaderData } from "react-router";
import {
  EmptyState,
  formatPrice,
  formatSaleEnd,
  Group,
  Pager,
  ButtonLink,
  Page,
  ChipLinks,
  Rows,
  CoverLink,
  Note,
  Stack,
  TextLink,
} from "@konomana/ui-base";
import { pagesOf } from "../data/courseData";
import { kindNames, pathOf, type Search, type SearchData } from "./find";
import { SearchBox } from "./SearchBox";

/** Results on a page of one kind; the API decides it. */
const PAGE_SIZE = 20;

/** Search results of the whole site, grouped by kind. */
export function SearchScreen() {
  const { search, hits } = useLoaderData<SearchData>();
  const title = search === null ? "サイト内を検索" : `「${search.q}」の検索結果`;
  return (
    <Page title={title} narrow>
      <SearchBox key={search?.q ?? ""} initial={search?.q ?? ""} />
      {search === null || hits === null ? <Places /> : <Results search={search} hits={hits} />}
    </Page>
  );
}

function Places() {
  return (
    <p>
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
        <Stack as="section" key={name} gap="0.5rem" aria-labelledby={`found-${name}`}>
          <h2 id={`found-${name}`}>
            {kindNames[name]} <Note as="small">{hits.counts[name]}件</Note>
          </h2>
          <Hits kind={name} hits={hits.results.filter((hit) => hit.kind === name)} />
          {kind === undefined && hits.counts[name] > 5 && (
            <p>
              <TextLink to={paths.search({ q, kind: name })}>
                {kindNames[name]}をすべて見る（{hits.counts[name]}件）
              </TextLink>
            </p>
          )}
        </Stack>
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

/** Links to the results of one kind, and back to all. */
function Kinds({ search: { q, kind }, counts, total }: KindsProps) {
  const ways = [
    { name: undefined, label: "すべて", count: total },
    ...searchKinds.map((name) => ({ name, label: kindNames[name], count: counts[name] })),
  ];
  return (
    <ChipLinks
      label="検索結果の種類"
      chips={ways.map(({ name, label, count }) => ({
        to: paths.search({ q, kind: name }),
        label,
        count,
        chosen: name === kind,
      }))}
    />
  );
}

function Hits({ kind, hits }: { kind: SearchKind; hits: readonly Hit[] }) {
  return (
    <Rows>
      {hits.map((hit) => (
        <li key={hit.id}>
          <h3>
            <CoverLink to={pathOf(hit)}>{hit.title}</CoverLink>
          </h3>
          {hit.course_name !== null && (
            <Note>
              <strong>{hit.course_name}</strong>
            </Note>
          )}
          {hit.summary !== "" && <Note>{hit.summary}</Note>}
          {kind === "course" && <Offer hit={hit} courses={hits.map(({ id }) => id)} />}
        </li>
      ))}
    </Rows>
  );
}

/**
 * The price of a found course with a cart button. One call fetches the prices of all found courses.
 */
function Offer({ hit, courses }: { hit: Hit; courses: readonly number[] }) {
  const items = useUsableItems();
  const product = useQuery(productOffersQuery(courses)).data?.get(hit.id);
  if (product === undefined) return null;
  return (
    <Group gap="0.25rem 1rem" justify="space-between" mt="xxs">
      <div>
        <strong>{formatPrice(product.price)}</strong>
        {product.sale_ends_at !== null && <Note>{formatSaleEnd(product.sale_ends_at)}</Note>}
      </div>
      <div>
        <CartButton compact product={product.id} name={hit.title} owned={items.get(hit.id)} />
      </div>
    </Group>
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
