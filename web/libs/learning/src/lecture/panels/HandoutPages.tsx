import type { Handout, HandoutFile, Stream } from "../../api";
import { TextLink, Stack, Text, Title, Group, Panel } from "@konomana/ui-base";
import { useMediaSelector } from "media-chrome/react/media-store";
import { useState } from "react";
import { handoutNames as names } from "../../parts/handouts";

interface HandoutPagesProps {
  handouts: readonly Handout[];
  /** The stream with the URLs; null until it is loaded. */
  stream: Stream | null;
}

/** The hand-outs of a lesson, at the page that is being discussed. */
export function HandoutPages({ handouts, stream }: HandoutPagesProps) {
  return (
    <Stack gap="md">
      {handouts.map((handout) => (
        <HandoutFrame
          key={handout.kind}
          handout={handout}
          file={stream?.handouts.find(({ kind }) => kind === handout.kind) ?? null}
        />
      ))}
    </Stack>
  );
}

function HandoutFrame({ handout, file }: { handout: Handout; file: HandoutFile | null }) {
  const { kind, page_count, pages } = handout;
  const page = useMediaSelector(({ mediaCurrentTime = 0 }) =>
    pages.findLast(({ at }) => at <= mediaCurrentTime),
  )?.page;
  return (
    <Panel as="section" pad="md" gap="xs" aria-label={names[kind]}>
      <Title order={3} size="h5">
        {names[kind]}
      </Title>
      <Text size="sm" dimmed>
        全{page_count}ページ（PDF）
      </Text>
      {file === null ? (
        <Text size="sm">資料は、動画を再生できるときに開けます。</Text>
      ) : (
        <>
          <PagePicture name={names[kind]} page={page ?? 1} pictures={file.pictures} />
          <Group gap="0.5rem 1.25rem">
            {page !== undefined && (
              <TextLink to={`${file.url}#page=${page}`} target="_blank" rel="noreferrer">
                この時間のページ（{page}ページ）を開く
              </TextLink>
            )}
            <TextLink to={file.url} download={`${names[kind]}.pdf`}>
              {names[kind]}をダウンロード
            </TextLink>
          </Group>
        </>
      )}
    </Panel>
  );
}

interface PagePictureProps {
  name: string;
  /** Page number, from 1. */
  page: number;
  pictures: readonly string[];
}

/** The picture of a page; nothing if it can't be loaded, because the PDF is linked, too. */
function PagePicture({ name, page, pictures }: PagePictureProps) {
  const [lost, setLost] = useState<string | null>(null);
  const url = pictures[page - 1];
  if (url === undefined || url === lost) return null;
  return (
    <img
      className="kn-print"
      src={url}
      alt={`${name}の${page}ページ`}
      onError={() => setLost(url)}
    />
  );
}
