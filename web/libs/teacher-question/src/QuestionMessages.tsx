import { paths } from "@konomana/paths";
import { TexText } from "@konomana/question";
import { formatClock, formatDateTime, Panel, Stack, Text, TextLink } from "@konomana/ui-base";
import { QuestionPictures } from "./QuestionPictures";
import type { QuestionMessage } from "./teacherQuestionCalls";

interface QuestionMessagesProps {
  messages: readonly QuestionMessage[];
  /** How the learner is called: in a shared question, nobody's name is shown. */
  asker: string;
  loadPicture: (id: string) => Promise<Blob>;
}

/** The messages of a question, oldest first. Formulas of teachers are drawn. */
export function QuestionMessages({ messages, asker, loadPicture }: QuestionMessagesProps) {
  return (
    <Stack as="ul" gap="sm" aria-label="質問と回答">
      {messages.map(({ teacher, text, sent_at, lesson, at, pictures }) => (
        <Panel
          key={`${sent_at} ${teacher}`}
          as="li"
          variant={teacher === "" ? "sheet" : "tint"}
          pad="1rem 1.25rem"
        >
          <Text size="sm" dimmed>
            {teacher === "" ? asker : `${teacher}先生`}・{formatDateTime(sent_at)}
          </Text>
          <p className="kn-pre">{teacher === "" ? text : <TexText>{text}</TexText>}</p>
          {pictures.length > 0 && (
            <QuestionPictures
              pictures={pictures}
              messageKind={teacher === "" ? "質問" : "回答"}
              load={loadPicture}
            />
          )}
          {lesson !== null && at !== null && (
            <TextLink to={paths.lecture(lesson, { at })}>
              この場面を見る（{formatClock(at)}から）
            </TextLink>
          )}
        </Panel>
      ))}
    </Stack>
  );
}
