import type { CourseFacets } from "../api";
import type { CourseFilters } from "@konomana/paths";
import { Button, formatYen, Group, Panel, Stack } from "@konomana/ui-base";
import { SelectField, TextField } from "@konomana/ui-kit";
import { type SubmitEvent, useId, useState } from "react";
import {
  type ChoiceName,
  chipsOf,
  choices,
  LONGEST_TEXT,
  readText,
  toggled,
} from "../data/courseFilters";
import styles from "./Filters.module.css";
import type { Narrowing } from "./useNarrowing";

/** The price limits on offer, in yen. */
const limits = [10_000, 15_000, 20_000, 25_000];

interface FiltersProps {
  facets: CourseFacets;
  /** Number of matching courses. */
  count: number;
  narrowing: Narrowing;
}

/** The filters of the list. On a phone they are folded at first. */
export function Filters({ facets, count, narrowing }: FiltersProps) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const { filters } = narrowing;
  const chosen = chipsOf(filters).length;
  return (
    <section aria-label="講座をしぼりこむ">
      <Button
        className={`kn-chevron ${styles.toggle}`}
        variant="default"
        pill
        fullWidth
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        しぼりこみ{chosen > 0 && `（${chosen}）`}
      </Button>
      <Panel
        id={panel}
        variant="raised"
        pad="1.25rem"
        gap="1.5rem"
        className={styles.panel}
        data-open={open || undefined}
      >
        <Words key={filters.q ?? ""} narrowing={narrowing} />
        <Choices legend="学年" name="school_year" facets={facets} narrowing={narrowing} />
        <Choices legend="教科" name="category" facets={facets} narrowing={narrowing} />
        <Choices legend="レベル" name="level" facets={facets} narrowing={narrowing} />
        <Prices narrowing={narrowing} />
        <Button className={styles.done} pill fullWidth onClick={() => setOpen(false)}>
          {count}件の講座を見る
        </Button>
      </Panel>
    </section>
  );
}

function Words({ narrowing: { filters, narrow } }: { narrowing: Narrowing }) {
  const search = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = readText(new FormData(event.currentTarget).get("q") as string);
    if (q !== filters.q) narrow({ q });
  };
  return (
    <form role="search" aria-label="講座を言葉でさがす" onSubmit={search}>
      <Group gap="0.5rem" align="end" nowrap>
        <TextField
          className="kn-grow"
          label="言葉"
          name="q"
          type="search"
          enterKeyHint="search"
          placeholder="例：be動詞"
          maxLength={LONGEST_TEXT}
          defaultValue={filters.q ?? ""}
        />
        <Button type="submit" variant="default" size="sm" className="kn-fixed">
          さがす
        </Button>
      </Group>
    </form>
  );
}

interface ChoicesProps {
  legend: string;
  name: ChoiceName;
  facets: CourseFacets;
  narrowing: Narrowing;
}

function Choices({ legend, name, facets, narrowing: { filters, show } }: ChoicesProps) {
  const counts = new Map(facets[name].map(({ value, count }) => [value, count]));
  const chosen: readonly string[] = filters[name] ?? [];
  return (
    <fieldset>
      <legend className={`kn-fine kn-bold ${styles.legend}`}>{legend}</legend>
      <Stack gap="0rem 0.5rem" className={styles.choices}>
        {choices[name].map((value) => (
          <label key={value} className={counts.get(value) ? "kn-option" : "kn-option kn-soft"}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={() => show(toggled(filters, name, value))}
            />
            <span>{value}</span>
            <small className="kn-push kn-soft" aria-label={`${counts.get(value) ?? 0}講座`}>
              {counts.get(value) ?? 0}
            </small>
          </label>
        ))}
      </Stack>
    </fieldset>
  );
}

function Prices({ narrowing: { filters, narrow } }: { narrowing: Narrowing }) {
  return (
    <fieldset className={styles.prices}>
      <legend className={`kn-fine kn-bold ${styles.legend}`}>値段（税込）</legend>
      <Group gap="0.25rem" nowrap>
        <Limit
          label="値段の下限"
          none="下限なし"
          chosen={filters.price_min}
          onChoose={(price_min) => narrow({ price_min })}
        />
        <span aria-hidden="true">〜</span>
        <Limit
          label="値段の上限"
          none="上限なし"
          chosen={filters.price_max}
          onChoose={(price_max) => narrow({ price_max })}
        />
      </Group>
    </fieldset>
  );
}

interface LimitProps {
  label: string;
  none: string;
  chosen: CourseFilters["price_min"];
  onChoose: (limit: number | undefined) => void;
}

function Limit({ label, none, chosen, onChoose }: LimitProps) {
  // Adds a limit that only the address has; otherwise the select would show another value.
  const offered = [...new Set([...limits, ...(chosen === undefined ? [] : [chosen])])];
  return (
    <SelectField
      className="kn-grow"
      aria-label={label}
      value={chosen ?? ""}
      onChange={({ currentTarget: { value } }) =>
        onChoose(value === "" ? undefined : Number(value))
      }
      data={[
        { value: "", label: none },
        ...offered
          .toSorted((low, high) => low - high)
          .map((limit) => ({ value: String(limit), label: formatYen(limit) })),
      ]}
    />
  );
}
