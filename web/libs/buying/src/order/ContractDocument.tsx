import type { Confirmation } from "../api";
import styles from "./contract.module.css";

type Section = Confirmation["document"]["terms"][number];

/** The sections that the law asks to print in red. */
const red: ReadonlySet<string> = new Set(["この書面について", "クーリング・オフ"]);

/** The document of a contract of a 特定継続的役務, verbatim, in the red frame that the law asks for. */
export function ContractDocument({ sections }: { sections: readonly Section[] }) {
  return (
    <dl className={`kn-facts ${styles.frame}`}>
      {sections.map(({ title, text }) => (
        <div key={title} className={red.has(title) ? "kn-accent" : undefined}>
          <dt>{title}</dt>
          <dd className="kn-pre">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
