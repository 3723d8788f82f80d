import { NextLiveLesson } from "@konomana/class/next";
import { NextInterview } from "@konomana/interview/next";
import { NextSchoolEvent } from "@konomana/school-event/next";
import { Lines, TitledPanel } from "@konomana/ui-base";

/** The learner's next live lesson, interview and school event. Each line loads and fails independently. */
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
