import { Button, Panel, VisuallyHidden } from "@konomana/ui-base";
import { catalogue, type Suggestion, catalogueKeys } from "../api";
import { paths } from "@konomana/paths";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type SubmitEvent, useId, useState } from "react";
import { useNavigate } from "react-router";
import { LONGEST_TEXT, readText } from "../data/courseFilters";
import { kindNames, pathOf } from "./find";
import styles from "./SearchBox.module.css";

/** Debounce: how long typing pauses before suggestions are fetched. */
const PAUSE_MS = 150;
const FRESH_MS = 60_000;

const nothing: readonly Suggestion[] = [];

/** Suggestions for the typed text. */
function useSuggestions(text: string): readonly Suggestion[] {
  const [typed] = useDebouncedValue(readText(text) ?? "", PAUSE_MS);
  const { data } = useQuery({
    queryKey: catalogueKeys.suggestions(typed),
    queryFn: ({ signal }) => catalogue.suggest(typed, signal),
    enabled: typed !== "",
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
  return typed === "" ? nothing : (data?.results ?? nothing);
}

interface SearchBoxProps {
  /** Initial text. */
  initial?: string;
  /** Called before navigation. */
  onGo?: () => void;
}

/**
 * The search field of the site, with suggestions below it. The arrow keys select one, Enter opens
 * it or searches, and Escape closes the list. During an IME composition all keys belong to the
 * input method.
 */
export function SearchBox({ initial = "", onGo }: SearchBoxProps) {
  const navigate = useNavigate();
  const [text, setText] = useState(initial);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const list = useId();
  const suggestions = useSuggestions(text);
  const shown = open && suggestions.length > 0;
  const chosen = shown ? suggestions[active] : undefined;

  const go = (path: string) => {
    setOpen(false);
    setActive(-1);
    void navigate(path);
    onGo?.();
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const q = readText(text);
    if (chosen !== undefined) go(pathOf(chosen));
    else if (q !== undefined) go(paths.search({ q }));
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    // Some browsers end the composition before they report its last key.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && suggestions.length > 0) {
      event.preventDefault();
      setOpen(true);
      // Cycles from the text (-1) through the list and back to the text.
      const places = suggestions.length + 1;
      setActive(((active + 1 + step + places) % places) - 1);
    }
    if (event.key === "Escape" && shown) {
      event.preventDefault();
      setOpen(false);
      setActive(-1);
    }
  };

  return (
    <form role="search" className={`kn-row kn-grow ${styles.search}`} onSubmit={submit}>
      <input
        className={styles.field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={LONGEST_TEXT}
        placeholder="講座・レッスン・先生の名前など"
        aria-label="サイト内を検索"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={list}
        aria-activedescendant={chosen === undefined ? undefined : `${list}-${active}`}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setOpen(true);
          setActive(-1);
        }}
        onKeyDown={press}
        onBlur={() => setOpen(false)}
      />
      <Button type="submit" pill>
        さがす
      </Button>
      <Panel
        id={list}
        role="listbox"
        aria-label="候補"
        pad="0.375rem"
        className={styles.list}
        hidden={!shown}
        tabIndex={-1}
        // Keeps the focus in the field; otherwise blur closes the list before the click.
        onPointerDown={(event) => event.preventDefault()}
      >
        {shown &&
          suggestions.map((suggestion, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field has the keys
            <div
              key={`${suggestion.kind}-${suggestion.id}`}
              className="kn-way"
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              onClick={() => go(pathOf(suggestion))}
            >
              <span>{suggestion.title}</span>
              <small className="kn-push kn-soft">{kindNames[suggestion.kind]}</small>
            </div>
          ))}
      </Panel>
      <VisuallyHidden as="div" role="status">
        {shown && `候補が${suggestions.length}件あります。上下の矢印キーでえらべます。`}
      </VisuallyHidden>
    </form>
  );
}
