import { catalogueKeys, type Teacher } from "../api";
import { useStaleWhileRevalidate } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  EmptyState,
  Head,
  ButtonLink,
  Stack,
  Group,
  Note,
  Container,
  Panel,
  Tag,
} from "@konomana/ui-base";
import { Portrait } from "@konomana/ui-base/art";
import { useLoaderData } from "react-router";
import { newest } from "../data/catalogueSource";
import { BuyableCards } from "../list/BuyableCards";
import styles from "./teacher.module.css";

/** One teacher: subjects, message, background, and courses. */
export function TeacherScreen() {
  const loaded = useLoaderData<Teacher>();
  const { id } = loaded;
  const teacher = useStaleWhileRevalidate(catalogueKeys.teacher(id), loaded, (signal) =>
    newest.teacher(id, signal),
  );
  const { name, kana, subjects, message, career, courses } = teacher;
  return (
    <Container as="article" className={styles.screen}>
      <Head
        title={`${name} 先生（${subjects.join("・")}）`}
        description={`${name} 先生の紹介です。${message}`}
      />
      <header className={styles.head}>
        <div className="kn-framed kn-round">
          <Portrait id={id} />
        </div>
        <Stack gap="xxs">
          <Group as="p" gap="0.5rem">
            {subjects.map((subject) => (
              <Tag key={subject}>{subject}</Tag>
            ))}
          </Group>
          <h1>{name} 先生</h1>
          <Note size="md">{kana}</Note>
        </Stack>
      </header>
      <section aria-labelledby="message">
        <h2 id="message">生徒のみなさんへ</h2>
        <Panel as="p" className="kn-column kn-edge kn-lead">
          {message}
        </Panel>
      </section>
      <section aria-labelledby="career">
        <h2 id="career">これまでの歩み</h2>
        <p className="kn-column">{career}</p>
      </section>
      <section aria-labelledby="courses">
        <h2 id="courses">受け持っている講座</h2>
        {courses.length === 0 ? (
          <EmptyState
            title="いまは受け持っている講座がありません"
            action={
              <ButtonLink to={paths.courses()} pill variant="default">
                講座をさがす
              </ButtonLink>
            }
          />
        ) : (
          <BuyableCards courses={courses} />
        )}
      </section>
    </Container>
  );
}
