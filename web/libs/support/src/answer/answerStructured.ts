import type { Faq } from "../api";
import { plainText } from "@konomana/ui-base";

/** Structured data of a question and its answer, for search engines. */
export function questionAndAnswer({ question, answer }: Faq): object {
  return {
    "@context": "https://schema.org",
    "@type": "FAQPage",
    mainEntity: [
      {
        "@type": "Question",
        name: question,
        acceptedAnswer: { "@type": "Answer", text: plainText(answer) },
      },
    ],
  };
}
