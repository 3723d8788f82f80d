import { prefectures } from "@konomana/form";
import { PagedList, usePaged } from "@konomana/query";
import {
  Badge,
  Button,
  EmptyState,
  Grid,
  Group,
  LoadingState,
  Note,
  Rows,
  Stack,
  Text,
} from "@konomana/ui-base";
import { SelectField, TextField } from "@konomana/ui-kit";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useSearchParams } from "react-router";
import { type DesiredSchool, type School, schoolsQuery } from "../../api";

interface SchoolSearchProps {
  /** The default prefecture. */
  prefecture: string;
  /** The schools that are chosen at other ranks. */
  taken: readonly DesiredSchool[];
  onChoose: (school: School) => void;
}

/** Searches schools by name, kana and prefecture. The search is in the URL, so a reload keeps it. */
export function SchoolSearch({ prefecture: own, taken, onChoose }: SchoolSearchProps) {
  const [params, setParams] = useSearchParams();
  const paged = usePaged();
  const q = params.get("q") ?? "";
  const prefecture = params.get("prefecture") ?? own;
  const [typed, setTyped] = useState(q);
  const query = useQuery(schoolsQuery({ q, prefecture, page: paged.page }, paged.link));
  const searchFor = (next: { q: string; prefecture: string }) => setParams(next, { replace: true });
  const send = (event: FormEvent) => {
    event.preventDefault();
    searchFor({ q: typed.trim(), prefecture });
  };
  return (
    <Stack gap="md">
      <form role="search" method="dialog" onSubmit={send} aria-label="学校をさがす">
        <Stack gap="md">
          <Grid min="14rem" fill gap="md">
            <TextField
              name="q"
              label="学校の名前"
              description="ひらがなでも、名前の一部でもさがせます。"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              enterKeyHint="search"
              autoComplete="off"
            />
            <SelectField
              name="prefecture"
              label="都道府県"
              description="「すべて」にすると、全国からさがします。"
              value={prefecture}
              onChange={(event) =>
                searchFor({ q: typed.trim(), prefecture: event.currentTarget.value })
              }
              data={[{ value: "", label: "すべて" }, ...prefectures]}
            />
          </Grid>
          <Group>
            <Button type="submit">さがす</Button>
          </Group>
        </Stack>
      </form>
      <PagedList paged={paged} query={query} loading={<LoadingState rows={4} height="4.5rem" />}>
        {(list) =>
          list.count === 0 ? (
            <EmptyState title="学校が見つかりませんでした">
              名前を短くするか、都道府県を「すべて」にして、もう一度さがしてください。
            </EmptyState>
          ) : (
            <Stack gap="sm">
              <Text dimmed role="status">
                {list.count}校
              </Text>
              <Rows aria-label="見つかった学校">
                {list.results.map((school) => (
                  <SchoolRow
                    key={school.id}
                    school={school}
                    taken={taken.find((desired) => desired.school.id === school.id)}
                    onChoose={() => onChoose(school)}
                  />
                ))}
              </Rows>
            </Stack>
          )
        }
      </PagedList>
    </Stack>
  );
}

interface SchoolRowProps {
  school: School;
  taken: DesiredSchool | undefined;
  onChoose: () => void;
}

function SchoolRow({ school, taken, onChoose }: SchoolRowProps) {
  const { name, kana, prefecture, departments } = school;
  return (
    <Group as="li" gap="0.25rem 1rem" justify="space-between">
      <div>
        <Text bold>{name}</Text>
        <Note>
          {kana}・{prefecture}・{departments.map((department) => department.name).join("、")}
        </Note>
      </div>
      {taken === undefined ? (
        <Button variant="default" size="sm" aria-label={`${name}を選ぶ`} onClick={onChoose}>
          選ぶ
        </Button>
      ) : (
        <Badge color="gray" variant="outline" size="lg">
          第{taken.rank}志望です
        </Badge>
      )}
    </Group>
  );
}
