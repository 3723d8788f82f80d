import { namesOf, paths } from "@konomana/paths";
import { Call, Cards, GuidePage, Note, Section, Steps } from "../parts/GuidePage";
import { StartButton } from "../parts/ActionButtons";
import { To } from "../parts/Words";
import { DeskArt } from "../parts/DeskArt";

/** /student: the service for pupils. */
export function StudentScreen() {
  return (
    <GuidePage
      title="生徒のみなさんへ"
      description="コノマナは、中学生・高校生が自分のペースで学べるオンライン学習サービスです。短いレッスンをひとつずつ進めて、「わかった」をふやしていきます。"
      tone="sun"
      eyebrow="生徒のみなさんへ"
      heading={
        <>
          授業で止まったところから、
          <br />
          やり直せばいい。
        </>
      }
      lead="わからないまま次に進むと、勉強はどんどん苦しくなります。コノマナは、短いレッスンを順番にならべました。止まったところまでもどって、そこからひとつずつ進めます。"
      action={<StartButton />}
      art={<DeskArt />}
    >
      <Section title="こんなふうに思ったことは、ありませんか">
        <Cards
          points={[
            {
              title: "「どこがわからないのか、わからない」",
              text: "講座のページに、章・単元・レッスンの名前がすべて出ています。名前を上から見ていって、「あやしいな」と思ったところが、始める場所です。",
            },
            {
              title: "「部活から帰ると、もう眠い」",
              text: "1本のレッスンは5〜12分です。1日1本でも、10日で10本。終わったレッスンにはチェックがつくので、続きがすぐにわかります。",
            },
            {
              title: "「前の学年からやり直すのは、はずかしい」",
              text: "どの学年の講座も、いつでも選べます。だれが何を学んでいるかは、ほかの生徒には見えません。中3で中1の講座から始めても、だいじょうぶです。",
            },
          ]}
        />
      </Section>
      <Section title="1本のレッスンの進め方">
        <Steps
          points={[
            {
              title: "見る前に、めあてを読む",
              text: "レッスンの名前は「何ができるようになるか」を表しています。まず名前を読んで、自分が知っていることを思い出します。",
            },
            {
              title: "手を動かしながら学ぶ",
              text: "ノートを1冊用意しましょう。式や図は、見るだけでなく自分でかいたほうが、あとで思い出せます。",
            },
            {
              title: "できたら、チェックをつける",
              text: "マイページの講座を開いて、終わったレッスンにチェックをつけます。講座全体のどこまで来たかが、いつでも目に見えます。",
            },
            {
              title: "大事なレッスンは、お気に入りに",
              text: "テストの前にもう一度見たいレッスンには、星をつけておきましょう。お気に入りのページから、すぐに開けます。",
            },
          ]}
        />
      </Section>
      <Section title="いま使えるもの、これから使えるもの">
        <Cards
          points={[
            {
              title: "いま使えます",
              text: `${namesOf(true)}。登録は無料です。`,
            },
            {
              title: "準備しています",
              text: `${namesOf(false)}。始まるときに、お知らせのページでお伝えします。`,
            },
          ]}
        />
        <Note title="登録するときのおねがい">
          <p>
            18歳未満の人が講座を買うには、保護者の方の同意が必要です。登録のときに、保護者の方のメールアドレスを教えてもらえると、確認のメールをお送りします。あとからでもできます。
          </p>
        </Note>
      </Section>
      <Call title="まずは、自分の学年の講座を見てみよう。">
        <p>
          登録しなくても、<To to={paths.courses()}>すべての講座の中身</To>を見られます。
        </p>
        <StartButton />
      </Call>
    </GuidePage>
  );
}
