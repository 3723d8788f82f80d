import { toKatakana } from "../rules/text";

/** Kana with, at the end, the letters of one that is still being typed: `やm` on the way to `やま`. */
const KANA_BEING_TYPED = /^([ぁ-ゖァ-ヶー・\s]*)[a-z]{0,3}$/i;
const KANA = /^[ぁ-ゖァ-ヶー・\s]+$/;

/**
 * Learns from the input method how a name is read: what is typed is kana until it is converted. Where it
 * can't know any more, it says nothing until the name is typed anew.
 */
export class Reading {
  #text: string | null;
  #name = "";
  #converting: string | null = null;

  /** @param known how the name that is there already is read */
  constructor(known = "") {
    this.#text = known;
  }

  /** The reading of the whole name in katakana; null where it is not known. */
  get text(): string | null {
    return this.#text;
  }

  /** The input method shows `shown`, which is not yet decided. */
  compose(shown: string): void {
    const kana = KANA_BEING_TYPED.exec(shown.normalize("NFKC"))?.[1];
    if (kana !== undefined && kana !== "") this.#converting = kana;
  }

  /** The input method puts `decided` into the field, which now holds `name`; empty when it was given up. */
  commit(decided: string, name: string): void {
    const kana = KANA.test(decided) ? decided : this.#converting;
    this.#converting = null;
    if (decided !== "") this.#text = this.#join(decided, kana, name);
    this.settle(name);
  }

  /** The field holds `name`, and nothing is being converted. */
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
