import type { Course } from "@konomana/api";
import styles from "./Videos.module.css";

/** A look inside before anything is bought: what the course has of a sample and an introduction. */
export function Videos({ course: { sample_video, orientation } }: { course: Course }) {
  if (sample_video === null && orientation === null) return null;
  return (
    <section aria-labelledby="look">
      <h2 id="look">ためしに見る</h2>
      <div className={styles.videos}>
        {sample_video !== null && <Video title="見本のレッスン" src={sample_video} />}
        {orientation !== null && <Video title="はじめに：講座の進め方" src={orientation} />}
      </div>
    </section>
  );
}

function Video({ title, src }: { title: string; src: string }) {
  return (
    <figure className={styles.video}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are in the file itself */}
      <video src={src} controls preload="none" width={640} height={360} aria-label={title} />
      <figcaption>{title}</figcaption>
    </figure>
  );
}
