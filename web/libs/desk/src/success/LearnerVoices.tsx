import { desk, type Voice } from "../api";
import { paths } from "@konomana/paths";
import { Prose, Stack, Panel, Group } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import styles from "./LearnerVoices.module.css";

/** Every course by its name: what is taught is the catalogue's, and a voice tells it by number alone. */
async function courseNames({ signal }: { signal: AbortSignal }) {
  const courses = await desk.courses(signal);
  return new Map(courses.map(({ id, name }) => [id, name]));
}

/** What learners tell of their way, each with what they learned with. */
export function LearnerVoices({ voices }: { voices: readonly Voice[] }) {
  const { data: names } = useQuery({ queryKey: ["course-names"], queryFn: courseNames });
  return (
    <Stack as="section" className={styles.voices} aria-labelledby="voices">
      <h2 id="voices">先輩の声</h2>
      <ul>
        {voices.map((voice) => (
          <li key={voice.name}>
            <Panel as="figure" variant="raised" pad="lg" className={styles.voice}>
              <blockquote>
                <Prose text={voice.text} level={3} />
              </blockquote>
              <figcaption>
                <strong>{voice.name}</strong>
                <span>
                  {voice.school}合格（{voice.school_year}から受講）
                </span>
              </figcaption>
              {voice.course_ids.length > 0 && (
                <Group as="p" gap="0rem 1.25rem" className={styles.courses}>
                  {voice.course_ids.map((id) => (
                    <Link key={id} to={paths.course(id)}>
                      {names?.get(id) ?? "学んだ講座を見る"}
                    </Link>
                  ))}
                </Group>
              )}
            </Panel>
          </li>
        ))}
      </ul>
      <p className={styles.note}>
        ご本人と保護者の方の同意をいただいて、仮のお名前で紹介しています。感想は個人のものです。
      </p>
    </Stack>
  );
}
