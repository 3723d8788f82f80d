import { Grid } from "@konomana/ui-base";
import type { Course } from "../api";
import { attachSource, playsNatively } from "@konomana/ui-base/video";
import { useEffect, useRef, useState } from "react";
import styles from "./Videos.module.css";

/** A course's sample lesson and introduction, for people who have not bought it. */
export function Videos({ course: { sample_video, orientation } }: { course: Course }) {
  if (sample_video === null && orientation === null) return null;
  return (
    <section aria-labelledby="look">
      <h2 id="look">ためしに見る</h2>
      <Grid min="17rem" fill gap="lg">
        {sample_video !== null && <Video title="見本のレッスン" src={sample_video} />}
        {orientation !== null && <Video title="はじめに：講座の進め方" src={orientation} />}
      </Grid>
    </section>
  );
}

/**
 * The multivariant playlist of one of our own videos. Captions and poster are in the same folder.
 */
const DRAWN = /\/master\.m3u8$/;

function Video({ title, src }: { title: string; src: string }) {
  const video = useRef<HTMLVideoElement>(null);
  const [isGone, setGone] = useState(false);
  const isDrawn = DRAWN.test(src);
  useEffect(() => {
    const element = video.current;
    if (!isDrawn || element === null || playsNatively(element)) return;
    let detach: (() => void) | undefined;
    const attach = () => {
      detach = attachSource(element, {
        playlist: src,
        height: null,
        from: 0,
        onFail: () => setGone(true),
      });
      // The new source has paused the video.
      element.play().catch(() => {});
    };
    element.addEventListener("play", attach, { once: true });
    return () => {
      element.removeEventListener("play", attach);
      detach?.();
    };
  }, [isDrawn, src]);
  const beside = (name: string) => (isDrawn ? src.replace(DRAWN, `/${name}`) : undefined);
  return (
    <figure>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- videos from other sources have their captions in the file */}
      <video
        ref={video}
        className={styles.video}
        src={src}
        poster={beside("poster.png")}
        controls
        preload="none"
        width={640}
        height={360}
        aria-label={title}
      >
        {isDrawn && <track kind="captions" src={beside("ja.vtt")} srcLang="ja" label="日本語" />}
      </video>
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      {isGone && (
        <p role="status">動画を読み込めませんでした。時間をおいてもう一度お試しください。</p>
      )}
    </figure>
  );
}
