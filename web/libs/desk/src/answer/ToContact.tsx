import { paths } from "@konomana/paths";
import { ButtonLink, Panel } from "@konomana/ui-base";
import styles from "./ToContact.module.css";

/** The way on for those whose question has no answer here. */
export function ToContact() {
  return (
    <Panel as="section" variant="tint" pad="lg" className={styles.box} aria-labelledby="to-contact">
      <div>
        <h2 id="to-contact">解決しないときは</h2>
        <p>お問い合わせフォームから、お気軽にご質問ください。メールでお返事します。</p>
      </div>
      <ButtonLink pill to={paths.contact()}>
        お問い合わせへ
      </ButtonLink>
    </Panel>
  );
}
