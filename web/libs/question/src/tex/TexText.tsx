import { useEffect, useRef } from "react";
import { piecesOf } from "./pieces";

/** A text in which TeX between dollar signs is drawn as a formula. */
export function TexText({ children }: { children: string }) {
  return piecesOf(children).map(({ kind, text, at }) =>
    kind === "tex" ? <Formula key={`${at}-${text}`} tex={text} /> : text,
  );
}

/** A formula up to this length stays on one line; a longer one breaks at its signs. */
const SHORT = 24;

/** Until what draws it is there, and where it can't be had, a formula shows its source. */
function Formula({ tex }: { tex: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let shown = true;
    import("./draw").then(
      ({ draw }) => (shown && place.current ? draw(tex, place.current) : undefined),
      () => {},
    );
    return () => {
      shown = false;
    };
  }, [tex]);
  return (
    <span ref={place} className={tex.length <= SHORT ? "kn-nowrap" : undefined}>
      {tex}
    </span>
  );
}
