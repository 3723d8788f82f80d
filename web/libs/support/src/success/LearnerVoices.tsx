import { supportCalls, type Voice, supportKeys } from "../api";
import { paths } from "@konomana/paths";
import { Prose, Stack, Panel, Group, Grid, Note, Tag, TextLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";

/** The names of all courses, because a voice references courses only by id. */
async function courseNames({ signal }: { signal: AbortSignal }) {
  const courses = await supportCalls.courses(signal);
  return new Map(courses.map(({ id, name }) => [id, name]));
}

/** The voices of learners, each with the courses they used. */
export function LearnerVoices({ voices }: { voices: readonly Voice[] }) {
  const { data: names } = useQuery({ queryKey: supportKeys.courseNames, queryFn: courseNames });
  return (
    <Stack as="section" aria-labelledby="voices">
      <h2 id="voices">先輩の声</h2>
      <Grid as="ul" min="20rem" fill>
        {voices.map((voice) => (
          <li key={voice.name}>
            <Panel as="figure" variant="raised" pad="lg" gap="md">
              <blockquote>
                <Prose text={voice.text} level={3} />
              </blockquote>
              <figcaption>
                <strong>{voice.name}</strong> <Tag>見本</Tag>
                <Note as="div">
                  {voice.school}合格（{voice.school_year}から受講）
                </Note>
              </figcaption>
              {voice.course_ids.length > 0 && (
                <Group as="p" gap="0rem 1.25rem">
                  {voice.course_ids.map((id) => (
                    <TextLink key={id} to={paths.course(id)}>
                      {names?.get(id) ?? "学んだ講座を見る"}
                    </TextLink>
                  ))}
                </Group>
              )}
            </Panel>
          </li>
        ))}
      </Grid>
      <Note>
        見本の文章で、実在の方の声ではありません。本物の声は、ご本人と保護者の方の同意をいただいたものだけを、仮のお名前で紹介します。
      </Note>
    </Stack>
  );
}
