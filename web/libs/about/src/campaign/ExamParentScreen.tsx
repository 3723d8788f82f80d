import { HomeArt } from "../parts/DeskArt";
import { Call, Cards, GuidePage, Note, Section, Steps } from "../parts/GuidePage";
import { StartButton } from "../parts/ActionButtons";
import { useCampaign } from "./useCampaign";

const CAMPAIGN = "exam-parent";

/** /campaign/exam-parent: advice for parents in the months before an entrance exam. */
export function ExamParentScreen() {
  useCampaign(CAMPAIGN);
  return (
    <GuidePage
      title="受験生の保護者の方へ：冬にできる3つのこと"
      description="高校受験をひかえた中3のお子さまに、保護者の方ができることを3つにまとめました。進みぐあいを見て、声をかけるきっかけにしてください。"
      tone="sky"
      eyebrow="中3の保護者の方へ"
      heading={
        <>
          冬の3か月、
          <br />
          親にできることは3つです。
        </>
      }
      lead="「勉強しなさい」は、もう言わなくてだいじょうぶです。受験生にいちばん効くのは、進んだ分に気づいてくれる人がいること。コノマナは、その「進んだ分」を保護者の方に見えるようにします。"
      action={
        <StartButton campaign={CAMPAIGN} kind="guardian" label="保護者として無料で登録する" />
      }
      art={<HomeArt />}
    >
      <Section title="こんな夜は、ありませんか">
        <Cards
          points={[
            {
              title: "部屋にこもって2時間",
              text: "勉強しているのか、スマートフォンを見ているのか。聞けば口げんかになりそうで、聞けない。",
            },
            {
              title: "点数だけが届く",
              text: "模試や定期テストの結果は見るけれど、ふだん何に取り組んでいるかは見えない。",
            },
            {
              title: "塾を増やすか、迷う",
              text: "苦手がどこにあるかわからないまま、時間と費用だけが増えるのは避けたい。",
            },
          ]}
        />
      </Section>
      <Section title="親にできる、3つのこと">
        <Steps
          points={[
            {
              title: "週に1度、進みぐあいを見る",
              text: "つながると、どの講座をどこまで進めたか、最後に学習した日がわかります。毎日見る必要はありません。見たことはお子さまにも伝わるので、のぞき見にはなりません。",
            },
            {
              title: "数字ではなく、進んだところをほめる",
              text: "「二次方程式、終わったんだね」。点数が出る前に言える言葉があると、次の1本が始めやすくなります。",
            },
            {
              title: "生活のリズムを守る",
              text: "入試は朝から始まります。夜の勉強は短く区切り、起きる時間をそろえる。1本5〜12分のレッスンなら、寝る前の区切りにもなります。",
            },
          ]}
        />
        <Note title="つながるかどうかは、お子さまが決めます">
          <p>
            お子さまが発行する8文字のコードで、はじめてつながります。どちらからでも、いつでも解除できます。受験の前に、見られ方を親子で話しておくことをおすすめします。
          </p>
        </Note>
      </Section>
      <Call title="登録は無料。今夜のうちに、準備ができます。">
        <p>料金がかかる手続きは、この登録にはありません。</p>
        <StartButton campaign={CAMPAIGN} kind="guardian" label="保護者として無料で登録する" />
      </Call>
    </GuidePage>
  );
}
