import { catalogue, catalogueKeys } from "../api";
import { Prose, Stack, Panel, Note, Tag } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";

const FRESH_MS = 60_000;

/**
 * Testimonials of learners. They are fetched on every visit: a prerendered page would go on quoting
 * people who have withdrawn their agreement.
 */
export function Voices({ course }: { course: number }) {
  const { data } = useQuery({
    queryKey: catalogueKeys.voices(course),
    queryFn: ({ signal }) => catalogue.voices(course, signal),
    staleTime: FRESH_MS,
  });
  if (data === undefined || data.results.length === 0) return null;
  return (
    <section aria-labelledby="voices">
      <h2 id="voices">この講座で学んだ人の声</h2>
      <Stack as="ul">
        {data.results.map(({ name, school, school_year, text }) => (
          <Panel as="li" key={name + text} variant="raised">
            <blockquote>
              <Prose text={text} level={3} />
            </blockquote>
            <Note mt="xs">
              {name}（{school_year}） <strong>{school} 合格</strong> <Tag>見本</Tag>
            </Note>
          </Panel>
        ))}
      </Stack>
    </section>
  );
}
