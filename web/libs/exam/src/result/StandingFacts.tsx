import { Grid, Note } from "@konomana/ui-base";
import type { Standing } from "../api";
import { formatFigure } from "./formatFigure";

/** Points, 偏差値, rank and average. */
export function StandingFacts({ standing }: { standing: Standing }) {
  const { points, full_points, deviation_score, rank, candidate_count, average } = standing;
  const facts = [
    ["得点", `${points} / ${full_points}点`],
    ["偏差値", formatFigure(deviation_score)],
    ["順位", `${rank}位 / ${candidate_count}人`],
    ["平均点", `${formatFigure(average)}点`],
  ] as const;
  return (
    <Grid as="dl" min="8rem" fill gap="sm">
      {facts.map(([name, value]) => (
        <div key={name}>
          <Note as="dt">{name}</Note>
          <dd>
            <strong className="kn-figure">{value}</strong>
          </dd>
        </div>
      ))}
    </Grid>
  );
}
