import { supportKeys, type Faq } from "../api";
import { useStaleWhileRevalidate } from "@konomana/query";
import { paths } from "@konomana/paths";
import { useLoaderData } from "react-router";
import { newest } from "../data/supportSource";
import { plainText, Prose, Stack, Page, Tag, Title, TextLink } from "@konomana/ui-base";
import { ToContact } from "./ToContact";
import { Vote } from "./Vote";

/** Length of the description in search results, in characters. */
const DESCRIPTION = 110;

/** /inquiry/{id}: one answer, with a vote whether it helped. */
export function AnswerScreen() {
  const loaded = useLoaderData<Faq>();
  const { id } = loaded;
  const faq = useStaleWhileRevalidate(supportKeys.answer(id), loaded, (signal) =>
    newest.answer(id, signal),
  );
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
        <Stack as="section" gap="0.5rem" aria-labelledby="related">
          <Title order={2} size="h4" id="related">
            関連する質問
          </Title>
          <ul>
            {faq.related.map((other) => (
              <li key={other.id}>
                <TextLink to={paths.answer(other.id)}>{other.question}</TextLink>
              </li>
            ))}
          </ul>
        </Stack>
      )}
      <ToContact />
      <p>
        <TextLink to={paths.answers()}>よくある質問の一覧へ</TextLink>
      </p>
    </Page>
  );
}
