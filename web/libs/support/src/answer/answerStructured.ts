import type { Faq } from "../api";
import { plainText } from "@konomana/ui-base";

/** A question and its answer as search engines read them. */
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
