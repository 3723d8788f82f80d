import type { Faq } from "../api";
import { useNewest } from "@konomana/calls";
import { paths } from "@konomana/paths";
import { plainText, Prose, Stack } from "@konomana/ui-base";
import { Link, useLoaderData } from "react-router";
import { newest } from "../data/deskSource";
import { Page } from "../parts/Page";
import { Tag } from "../parts/Tag";
import styles from "./AnswerScreen.module.css";
import { ToContact } from "./ToContact";
import { Vote } from "./Vote";

/** How much of an answer search results show. */
const DESCRIPTION = 110;

/** /inquiry/{id}: one answer, and whether it helped. */
export function AnswerScreen() {
  const loaded = useLoaderData<Faq>();
  const { id } = loaded;
  const faq = useNewest(["answer", id], loaded, (signal) => newest.answer(id, signal));
  return (
    <Page
      title={faq.question}
      description={plainText(faq.answer).slice(0, DESCRIPTION)}
      narrow
      above={<Tag>{faq.category}</Tag>}
    >
      <Prose text={faq.answer} />
      <Vote key={id} id={id} helpful={faq.helpful_count} />
      {faq.related.length > 0 && (
        <Stack as="section" gap="0.5rem" className={styles.related} aria-labelledby="related">
          <h2 id="related">関連する質問</h2>
          <ul>
            {faq.related.map((other) => (
              <li key={other.id}>
                <Link to={paths.answer(other.id)}>{other.question}</Link>
              </li>
            ))}
          </ul>
        </Stack>
      )}
      <ToContact />
      <p className={styles.back}>
        <Link to={paths.answers()}>よくある質問の一覧へ</Link>
      </p>
    </Page>
  );
}
