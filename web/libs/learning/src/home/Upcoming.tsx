import { NextLiveLesson } from "@konomana/class/next";
import { NextInterview } from "@konomana/interview/next";
import { NextSchoolEvent } from "@konomana/school-event/next";
import { Lines, TitledPanel } from "@konomana/ui-base";

/** What the learner has ahead at the school. Each line loads and fails independently. */
export function Upcoming() {
  return (
    <TitledPanel title="これからの予定">
      <Lines>
        <li>
          <NextLiveLesson />
        </li>
        <li>
          <NextInterview />
        </li>
        <li>
          <NextSchoolEvent />
        </li>
      </Lines>
    </TitledPanel>
  );
}
