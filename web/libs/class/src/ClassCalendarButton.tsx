import { SaveFileButton } from "@konomana/query";
import { classCalendar } from "./classCalendar";
import { findLiveLessons, type LearnerClass } from "./classCalls";

/**
 * Saves all live lessons of a class as a calendar file. In a later file, moved and cancelled lessons replace those of
 * the earlier one.
 */
export function ClassCalendarButton({ learnerClass }: { learnerClass: LearnerClass }) {
  const { id, name } = learnerClass;
  return (
    <SaveFileButton
      name={`class-${id}.ics`}
      what={`${name}のカレンダー`}
      load={async () => {
        const { results } = await findLiveLessons(id);
        return new Blob([classCalendar(learnerClass, results, location.origin)], {
          type: "text/calendar",
        });
      }}
    />
  );
}
