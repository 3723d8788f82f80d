import type { Sitting } from "../protocol/sittingTypes";

/** The same sitting with its figures in it, so that they show without the network. */
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

/** Figures are SVG, and their addresses never change: the browser has them already. */
async function dataUrlOf(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`A figure answers ${answer.status}.`);
  return `data:image/svg+xml,${encodeURIComponent(await answer.text())}`;
}
