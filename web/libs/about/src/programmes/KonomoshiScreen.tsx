import { type ExamCard, UpcomingExams } from "@konomana/exam-card";
import { paths } from "@konomana/paths";
import { useLoaderData } from "react-router";
import { Call, Cards, Facts, GuidePage, Section, Steps } from "../parts/GuidePage";
import { ExamArt } from "../parts/ProgrammeArt";
import { GoButton } from "../parts/ActionButtons";
import { To } from "../parts/Words";

/** /konomoshi: what the mock exams are, the next ones, and how to sit one. */
export function KonomoshiScreen() {
  const exams = useLoaderData<readonly ExamCard[]>();
  return (
    <GuidePage
      title="コノ模試"
      description="コノ模試は、家で受けられる5教科の模試です。次の日程・料金・残りの席と、申し込みから受験までの流れをご案内します。"
      tone="violet"
      eyebrow="模試"
      heading={
        <>
          家で受ける、
          <br />
          本番のような模試。
        </>
      }
      lead="コノ模試は、自分の部屋で受けられる5教科の模試です。時計はサーバーの時刻で進み、答えは入力するたびに保存されます。"
      art={<ExamArt />}
    >
      <Section title="次の模試">
        <UpcomingExams built={exams} />
      </Section>
      <Section title="コノ模試の特長">
        <Cards
          points={[
            {
              title: "5教科を、1教科ずつ",
              text: "英語・数学・国語・理科・社会。試験の期間のうちに、1教科ずつ受けられます。",
            },
            {
              title: "途中で切れても、だいじょうぶ",
              text: "答えは端末とサーバーの両方に保存されます。通信が切れても、続きから受けられます。",
            },
            {
              title: "提出したことを、証明できる",
              text: (
                <>
                  いつ、どの答えを提出したかの電子署名つきの証明を保存できます。本物かどうかは、
                  <To to={paths.receiptCheck()}>確かめるページ</To>で、だれでも調べられます。
                </>
              ),
            },
            {
              title: "志望校を5校まで",
              text: "全国の学校から、名前やふりがな、都道府県でさがして、学科まで登録できます。",
            },
          ]}
        />
      </Section>
      <Section title="申し込みから受験までの5つのステップ">
        <Steps
          points={[
            {
              title: "申し込む",
              text: "有料の模試はカートから、無料の模試はそのまま申し込めます。席には限りがあります。",
            },
            {
              title: "基本情報を入れる",
              text: "名前、学年、通っている学校、都道府県。プロフィールから自動で入ります。",
            },
            {
              title: "志望校を選ぶ",
              text: "第1志望から順に、5校まで。内申点を使う学校では、内申点も入れます。",
            },
            {
              title: "端末を確かめる",
              text: "ブラウザ、時計、保存、通信、音を確かめます。直すところがあれば、画面が教えます。",
            },
            {
              title: "受験する",
              text: "1教科ずつ受けて、提出します。あとで見直す問題に、しるしをつけられます。",
            },
          ]}
        />
      </Section>
      <Section title="よくある質問">
        <Facts
          points={[
            {
              title: "結果はいつわかりますか",
              text: "模試ごとに決まっています。上の「次の模試」にある日時までに、マイページの模試の結果に出ます。",
            },
            {
              title: "スマートフォンで受けられますか",
              text: "受けられます。図の多い教科があるため、タブレットかパソコンをおすすめします。",
            },
            {
              title: "問題は過去の入試問題ですか",
              text: "いいえ。すべてコノマナが作る、新しい問題です。",
            },
            {
              title: "申し込みを取り消せますか",
              text: (
                <>
                  有料の模試は、申込の締め切りまで、
                  <To to={paths.orders()}>ご注文履歴</To>
                  から返金を申し込めます。
                </>
              ),
            },
          ]}
        />
      </Section>
      <Call title="まずは10問、ためしてみませんか。">
        <p>学年と教科をえらんで、その場で採点します。登録はいりません。</p>
        <GoButton to={paths.freeCheck()}>無料の実力チェックをする</GoButton>
      </Call>
    </GuidePage>
  );
}
