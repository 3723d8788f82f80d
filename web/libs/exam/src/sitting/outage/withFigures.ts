import type { Sitting } from "../protocol/sittingTypes";

/** Returns the sitting with its figures as data URLs, so that they are shown without the network. */
export async function withFigures(sitting: Sitting): Promise<Sitting> {
  const questions = await Promise.all(
    sitting.paper.questions.map(async (question) => ({
      ...question,
      figures: await Promise.all(
        question.figures.map(async ({ url, alt }) => ({ url: await dataUrlOf(url), alt })),
      ),
    })),
  );
  return { ...sitting, paper: { ...sitting.paper, questions } };
}

/** Fetches a figure as a data URL. Figures are SVG files with fixed URLs, so the browser has cached them. */
async function dataUrlOf(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`A figure answers ${answer.status}.`);
  return `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
}
