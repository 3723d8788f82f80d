import { Group } from "@konomana/ui-base";
import { paths } from "@konomana/paths";
import { Link } from "react-router";
import { chipsOf } from "../data/courseFilters";
import type { Narrowing } from "./useNarrowing";

interface ChipsProps {
  narrowing: Narrowing;
  /** Called when a filter is removed. The removed chip had the focus. */
  onTake: () => void;
}

/** The active filters, each with a button that removes it. */
export function Chips({ narrowing: { filters }, onTake }: ChipsProps) {
  const chips = chipsOf(filters);
  if (chips.length === 0) return null;
  return (
    <Group as="ul" gap="0.5rem" aria-label="いまの条件">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <Link
            className="kn-chip kn-bold"
            to={paths.courses(without)}
            aria-label={`${label}を外す`}
            onClick={onTake}
            preventScrollReset
          >
            {label}
            <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Link
            className="kn-chip kn-bold"
            to={paths.courses({ sort: filters.sort })}
            onClick={onTake}
            preventScrollReset
          >
            すべて外す
          </Link>
        </li>
      )}
    </Group>
  );
}
