import { paths } from "@konomana/paths";
import { Call, Cards, Facts, GuidePage, Section } from "../parts/GuidePage";
import { GoButton } from "../parts/ActionButtons";
import { useCampaign } from "./useCampaign";

/** /campaign/exam-student-ver1: advice to study one unit of one subject tonight. */
export function ExamStudentVer1Screen() {
  useCampaign("exam-student-ver1");
  return (
    <GuidePage
      title="受験生へ：苦手を1つだけ、今夜なくそう"
      description="5教科ぜんぶを何とかしようとしなくていい。苦手な単元を1つだけ選んで、今夜のうちに3本のレッスンで終わらせる方法です。"
      tone="leaf"
      eyebrow="中3のみなさんへ"
      heading={
        <>
          ぜんぶ、は無理でも
          <br />
          1つ、ならできる。
        </>
      }
      lead="苦手な教科を丸ごと直そうとすると、手が止まります。今夜は、単元を1つだけ。単元はレッスン3本、合わせて30分ほどです。"
      action={
        <GoButton to={paths.courses({ school_year: ["中3"] })}>中3の講座から1つえらぶ</GoButton>
      }
    >
      <Section title="えらび方は、3つの質問で">
        <Cards
          points={[
            {
              title: "最近のテストで、空欄にしたのは？",
              text: "まちがえた問題より、何も書けなかった問題。そこに、知らないまま進んだ単元があります。",
            },
            {
              title: "友だちに説明できないのは？",
              text: "解けるけれど説明できないものは、形を変えて出されると止まります。",
            },
            {
              title: "入試によく出るのは？",
              text: "迷ったら、数学は二次方程式と関数、英語は英作文、社会は公民から。どれも中3の講座にあります。",
            },
          ]}
        />
      </Section>
      <Section title="今夜の30分">
        <Facts
          points={[
            {
              title: "はじめの3分",
              text: "講座のページで、単元の3本のレッスンの名前を読みます。知っていることを、紙に3行書きます。",
            },
            {
              title: "次の20分",
              text: "ノートに手を動かしながら、順番に進めます。わからない言葉が出たら、ひとつ前の単元にもどります。",
            },
            {
              title: "さいごの7分",
              text: "何も見ないで、単元の中身を紙1枚に書きます。書けなかったところに赤でしるし。明日の朝は、そこだけ見ます。",
            },
          ]}
        />
      </Section>
      <Call title="さあ、1つだけ。">
        <p>講座の中身は、登録しなくても見られます。</p>
        <GoButton to={paths.courses({ school_year: ["中3"] })}>中3の講座から1つえらぶ</GoButton>
      </Call>
    </GuidePage>
  );
}
