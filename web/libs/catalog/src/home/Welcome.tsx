import { paths } from "@konomana/paths";
import { ButtonLink, Grid, Container, Panel } from "@konomana/ui-base";
import styles from "./home.module.css";

/** A greeting to learners, and one to parents. */
export function Welcome() {
  return (
    <Container as="section" section aria-label="生徒のみなさんと保護者の方へ">
      <Grid min="20rem" fill gap="lg">
        <Panel variant="tint" pad="lg" gap="0.875rem" className={styles.learner}>
          <p className="kn-subject kn-fine kn-bold">生徒のみなさんへ</p>
          <h2>部活の前の10分でも、ひとつ進める。</h2>
          <p>
            レッスンは短く区切ってあるので、すきま時間にちょうどいい長さです。わからなくなったら、前の学年の講座に戻ってもだいじょうぶ。順番も速さも、自分で決められます。
          </p>
          <p>
            <ButtonLink pill to={paths.student()} variant="default">
              生徒のみなさんへ、くわしく
            </ButtonLink>
          </p>
        </Panel>
        <Panel variant="tint" pad="lg" gap="0.875rem" className={styles.parent}>
          <p className="kn-subject kn-fine kn-bold">保護者の方へ</p>
          <h2>何を、どれだけ学ぶのかが見える。</h2>
          <p>
            講座ごとに、章・単元・レッスンの内容と時間、担当の先生を公開しています。始める前に、お子さまと一緒に中身をお確かめください。
          </p>
          <p>
            <ButtonLink pill to={paths.parent()} variant="default">
              保護者の方へ、くわしく
            </ButtonLink>
          </p>
        </Panel>
      </Grid>
    </Container>
  );
}
