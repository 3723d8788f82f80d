import { BarChart } from "@konomana/ui-base";
import type { Standing } from "../api";

interface DistributionProps {
  standing: Standing;
  /** The title, e.g. 得点の分布. */
  name: string;
  /** Whose points are marked. */
  who: string;
}

/** Number of candidates by points. Empty ranges at both ends are left out. */
export function Distribution({ standing, name, who }: DistributionProps) {
  const { distribution, points, candidate_count } = standing;
  const first = distribution.findIndex((range) => range.candidate_count > 0);
  const last = distribution.findLastIndex((range) => range.candidate_count > 0);
  const most = Math.max(...distribution.map((range) => range.candidate_count));
  return (
    <details>
      <summary>{name}を見る</summary>
      <BarChart
        caption={`${name}（${candidate_count}人）`}
        columns={["点", "人数"]}
        bars={distribution.slice(first, last + 1).map(({ from, to, candidate_count: count }) => ({
          label: `${from}〜${to}点${points >= from && points <= to ? `（${who}）` : ""}`,
          share: count / most,
          shown: `${count}人`,
          cells: [`${count}人`],
        }))}
      />
    </details>
  );
}
