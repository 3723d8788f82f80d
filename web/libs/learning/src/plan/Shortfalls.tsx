import { Alert } from "@konomana/ui-base";
import type { StudyPlan } from "./studyPlanCalls";
import { formatAdvice, formatShortfall } from "./planWords";

/**
 * What does not fit before an expiry, an exam or the last day of homework, and the minutes a day that are enough.
 * Renders nothing if all fits.
 */
export function Shortfalls({ plan }: { plan: StudyPlan }) {
  if (plan.shortfalls.length === 0) return null;
  return (
    <Alert color="blue" title="今のペースでは間に合わないものがあります">
      <ul>
        {plan.shortfalls.map((shortfall) => (
          <li key={`${shortfall.course.id} ${shortfall.deadline} ${shortfall.date}`}>
            {shortfall.course.name}：{formatShortfall(shortfall)}。
          </li>
        ))}
      </ul>
      <p>{formatAdvice(plan)}</p>
    </Alert>
  );
}
