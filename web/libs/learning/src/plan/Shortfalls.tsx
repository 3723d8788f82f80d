import { Alert } from "@konomana/ui-base";
import type { StudyPlan } from "./studyPlanCalls";
import { formatAdvice, formatShortfall } from "./planWords";

/**
 * The lessons that do not fit before an expiry or an exam, and the minutes a day that are enough.
 * Renders nothing if all fits.
 */
export function Shortfalls({ plan }: { plan: StudyPlan }) {
  if (plan.shortfalls.length === 0) return null;
  return (
    <Alert color="blue" title="今のペースでは間に合わないレッスンがあります">
      <ul>
        {plan.shortfalls.map((shortfall) => (
          <li key={`${shortfall.course.id} ${shortfall.deadline}`}>
            {shortfall.course.name}：{formatShortfall(shortfall)}。
          </li>
        ))}
      </ul>
      <p>{formatAdvice(plan)}</p>
    </Alert>
  );
}
