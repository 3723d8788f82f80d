import { toKatakana } from "../rules/text";

/** Kana, optionally followed by the letters of an unfinished kana: `やm` on the way to `やま`. */
const KANA_BEING_TYPED = /^([ぁ-ゖァ-ヶー・\s]*)[a-z]{0,3}$/i;
const KANA = /^[ぁ-ゖァ-ヶー・\s]+$/;

/**
 * Learns the kana of a name from the input method: typed text is kana until it is converted. When
 * the kana can no longer be known, the reading is null until the name is typed again.
 */
export class Reading {
  #text: string | null;
  #name = "";
  #converting: string | null = null;

  /** @param known the kana of the initial name */
  constructor(known = "") {
    this.#text = known;
  }

  /** The kana of the whole name in katakana; null if unknown. */
  get text(): string | null {
    return this.#text;
  }

  /** The input method shows the text `shown`, which is not committed yet. */
  compose(shown: string): void {
    const kana = KANA_BEING_TYPED.exec(shown.normalize("NFKC"))?.[1];
    if (kana !== undefined && kana !== "") this.#converting = kana;
  }

  /**
   * The input method puts `decided` into the field, which now holds `name`. `decided` is empty if
   * the composition was cancelled.
   */
  commit(decided: string, name: string): void {
    const kana = KANA.test(decided) ? decided : this.#converting;
    this.#converting = null;
    if (decided !== "") this.#text = this.#join(decided, kana, name);
    this.settle(name);
  }

  /** The field holds `name` outside a composition. */
  settle(name: string): void {
    const cutShort = name.length < this.#name.length && this.#name.includes(name);
    if (name.trim() === "") this.#text = "";
    else if (KANA.test(name)) this.#text = toKatakana(name);
    else if (cutShort) this.#text = null;
    this.#name = name;
  }

  #join(decided: string, kana: string | null, name: string): string | null {
    if (kana === null) return null;
    const part = toKatakana(kana);
    if (name === decided) return part;
    if (this.#text === null) return null;
    if (name === this.#name + decided) return this.#text + part;
    if (name === decided + this.#name) return part + this.#text;
    return null;
  }
}
