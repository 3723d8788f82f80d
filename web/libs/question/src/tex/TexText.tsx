import { useEffect, useRef } from "react";
import { piecesOf } from "./pieces";

/** A text that renders TeX between dollar signs as formulas. */
export function TexText({ children }: { children: string }) {
  return piecesOf(children).map(({ kind, text, at }) =>
    kind === "tex" ? <Formula key={`${at}-${text}`} tex={text} /> : text,
  );
}

/** A formula up to this length stays on one line. A longer one breaks at its operators. */
const SHORT = 24;

/** Shows the TeX source until the renderer is loaded, and if it fails to load. */
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
