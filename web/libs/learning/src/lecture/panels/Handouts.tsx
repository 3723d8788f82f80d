import type { Handout, Stream } from "@konomana/api";
import { Anchor, Stack, Text, Title } from "@konomana/ui";
import { useMediaSelector } from "media-chrome/react/media-store";
import { handoutNames as names } from "../../parts/handouts";
import styles from "./panels.module.css";

interface HandoutsProps {
  handouts: readonly Handout[];
  /** Where they lie; null while that is not known. */
  stream: Stream | null;
}

/** What is handed out with a lesson, at the page that is just spoken about. */
export function Handouts({ handouts, stream }: HandoutsProps) {
  return (
    <Stack gap="md">
      {handouts.map((handout) => (
        <HandoutLinks
          key={handout.kind}
          handout={handout}
          url={stream?.handouts.find(({ kind }) => kind === handout.kind)?.url ?? null}
        />
      ))}
    </Stack>
  );
}

function HandoutLinks({ handout, url }: { handout: Handout; url: string | null }) {
  const { kind, page_count, pages } = handout;
  const page = useMediaSelector(({ mediaCurrentTime = 0 }) =>
    pages.findLast(({ at }) => at <= mediaCurrentTime),
  )?.page;
  return (
    <section className={styles.handout} aria-label={names[kind]}>
      <Title order={3} size="h5">
        {names[kind]}
      </Title>
      <Text size="sm" c="dimmed">
        全{page_count}ページ（PDF）
      </Text>
      {url === null ? (
        <Text size="sm">資料は、動画を再生できるときに開けます。</Text>
      ) : (
        <div className={styles.links}>
          {page !== undefined && (
            <Anchor href={`${url}#page=${page}`} target="_blank" rel="noreferrer" py={10}>
              この時間のページ（{page}ページ）を開く
            </Anchor>
          )}
          <Anchor href={url} download={`${names[kind]}.pdf`} py={10}>
            {names[kind]}をダウンロード
          </Anchor>
        </div>
      )}
    </section>
  );
}
