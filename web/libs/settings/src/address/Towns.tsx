import { townsQuery, type Town } from "../api";
import { rules } from "@konomana/form";
import { Text } from "@konomana/ui-base";
import { SelectField } from "@konomana/ui-kit";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { safeParse } from "valibot";
import { type Place, sharedBy } from "./address";

interface TownsProps {
  /** The postal code as typed, possibly incomplete. */
  typed: string;
  /** The saved postal code. Its town is in the form already. */
  known: string;
  /** Receives the place of the code. Parts that its towns do not share are empty. */
  onFound: (place: Place) => void;
}

/**
 * Looks up a postal code once it is complete. A single town fills in the form. With several towns
 * the person chooses. An unknown code shows a message and does not block the form.
 */
export function Towns({ typed, known, onFound }: TownsProps) {
  const read = safeParse(rules.postalCode, typed);
  const code = read.success ? read.output : "";
  const { data: towns, isError } = useQuery({ ...townsQuery(code), enabled: code !== "" });
  const filled = useRef(known);

  useEffect(() => {
    if (!towns || filled.current === code) return;
    filled.current = code;
    if (towns.length > 0) onFound(sharedBy(towns));
  }, [towns, code, onFound]);

  return (
    <div role="status">
      {isError && <Text size="sm">住所を調べられませんでした。都道府県から入力してください。</Text>}
      {towns?.length === 0 && (
        <Text size="sm">
          この郵便番号の住所は見つかりませんでした。都道府県から入力してください。
        </Text>
      )}
      {towns && towns.length > 1 && code !== known && (
        <SelectField
          label="この郵便番号の町"
          description="いくつかあります。選ぶと下の欄に入ります。"
          data={[{ value: "", label: "選んでください" }, ...towns.map(nameOf)]}
          onChange={({ currentTarget: { value } }) => {
            const chosen = towns.find((town) => nameOf(town) === value);
            if (chosen) onFound(chosen);
          }}
        />
      )}
    </div>
  );
}

const nameOf = ({ city, town }: Town) => `${city}${town}`;
