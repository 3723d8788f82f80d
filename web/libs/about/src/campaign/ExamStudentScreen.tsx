import { DeskArt } from "../parts/DeskArt";
import { Call, Cards, GuidePage, Section, Steps } from "../parts/GuidePage";
import { StartButton } from "../parts/ActionButtons";
import { useCampaign } from "./useCampaign";

const CAMPAIGN = "exam-student";

/** /campaign/exam-student: a plan for the weeks before the exam. */
export function ExamStudentScreen() {
  useCampaign(CAMPAIGN);
  return (
    <GuidePage
      title="受験生へ：入試までの12週間の使い方"
      description="高校入試まであと12週間。何から、どの順番でやればいいかを、4週間ずつ3つの区切りで考えます。1日2本のレッスンから始められます。"
      tone="sun"
      eyebrow="中3のみなさんへ"
      heading={
        <>
          あと12週間。
          <br />
          1日2本で、168本。
        </>
      }
      lead="残りの日数を数えて、あせる必要はありません。1本5〜12分のレッスンを1日2本。12週間で168本になります。大切なのは、どの順番で積むかです。"
      action={<StartButton campaign={CAMPAIGN} label="無料で登録して、計画を立てる" />}
      art={<DeskArt />}
    >
      <Section title="4週間ずつ、3つに区切る">
        <Steps
          points={[
            {
              title: "1〜4週目：もどる",
              text: "数学と英語だけにしぼります。講座のレッスンの名前を上から見て、説明できないものにしるしをつけ、いちばん前のしるしから始めます。ここで前の学年にもどるのは、遠回りではありません。",
            },
            {
              title: "5〜8週目：つなげる",
              text: "国語・理科・社会を加えます。1日1本は苦手、1本は得意。得意を止めないことが、気持ちを保つこつです。",
            },
            {
              title: "9〜12週目：確かめる",
              text: "新しいことは増やしません。お気に入りに入れたレッスンをもう一度見て、白い紙に自分の言葉で説明してみます。説明できたら、そのレッスンは卒業です。",
            },
          ]}
        />
      </Section>
      <Section title="コノマナで、こう使えます">
        <Cards
          points={[
            {
              title: "しるしは「あとで見る」",
              text: "気になった講座をためておけます。登録すると、スマートフォンでもパソコンでも同じ一覧が見られます。",
            },
            {
              title: "積んだ分は、チェックで",
              text: "終わったレッスンにチェックをつけると、講座の進みぐあいが数字と棒で見えます。",
            },
            {
              title: "応援してほしいときは",
              text: "保護者の方とつながると、進んだところを見てもらえます。つながるかどうかは、あなたが決めます。",
            },
          ]}
        />
      </Section>
      <Call title="1本目を決めるのに、5分もかかりません。">
        <StartButton campaign={CAMPAIGN} label="無料で登録して、計画を立てる" />
      </Call>
    </GuidePage>
  );
}
