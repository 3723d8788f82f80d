import { paths } from "@konomana/paths";
import { Call, Cards, Facts, GuidePage, Note, Section, Steps } from "../parts/GuidePage";
import { ExamArt } from "../parts/ProgrammeArt";
import { GoButton } from "../parts/ActionButtons";
import { To } from "../parts/Words";

/** /konomoshi: what the mock exams are to be, and that they have not begun. */
export function KonomoshiScreen() {
  return (
    <GuidePage
      title="コノ模試"
      description="コノ模試は、家で受けられる高校入試・大学入試向けの模試です。5教科、志望校判定、1問ごとの解説まで。現在、開始に向けて準備中です。"
      tone="violet"
      eyebrow="準備中"
      heading={
        <>
          家で受ける、
          <br />
          本番のような模試。
        </>
      }
      lead="コノ模試は、自分の部屋で受けられる5教科の模試です。いまは問題と採点のしくみを作っているところで、お申し込みはまだ始まっていません。"
      art={<ExamArt />}
    >
      <Section title="いつ始まりますか">
        <Note title="開始日は、まだ決まっていません">
          <p>
            第1回の日程・範囲・料金が決まりしだい、このページと
            <To to={paths.notices()}>お知らせ</To>
            のページで同時に発表します。決まる前に、予約や前払いをお願いすることはありません。
          </p>
        </Note>
      </Section>
      <Section title="どんな模試になりますか">
        <Cards
          points={[
            {
              title: "5教科を、1教科ずつ",
              text: "英語・数学・国語・理科・社会。時計はサーバーの時刻で進み、全員が同じ条件で受けられるようにします。",
            },
            {
              title: "途中で切れても、だいじょうぶ",
              text: "答えは入力するたびに保存し、通信が切れても続きから受けられるようにします。",
            },
            {
              title: "偏差値だけで終わらない",
              text: "志望校ごとのA〜Eの判定と、1問ごとの正答率、次に学ぶレッスンまでお知らせします。合格可能性は目安です。",
            },
          ]}
        />
      </Section>
      <Section title="受けるときの流れ（予定）">
        <Steps
          points={[
            {
              title: "基本情報と志望校を入れる",
              text: "志望校は5校まで。名前やふりがな、都道府県からさがせます。",
            },
            {
              title: "環境を確かめる",
              text: "ブラウザ、時計、音、通信、机の上。直すところがあれば、画面が教えます。",
            },
            {
              title: "受験する",
              text: "1教科ずつ進めます。あとで見直す問題に、しるしをつけられます。",
            },
            {
              title: "結果を見る",
              text: "受けたその場で暫定の結果、締め切りのあとに確定の結果を出します。",
            },
          ]}
        />
      </Section>
      <Section title="よくある質問">
        <Facts
          points={[
            {
              title: "対象の学年は",
              text: "第1回は中学3年生を予定しています。高校生向けは、そのあとになります。",
            },
            {
              title: "料金は",
              text: "決まっていません。発表のときに、税込の金額でお知らせします。",
            },
            {
              title: "スマートフォンで受けられますか",
              text: "受けられるようにしますが、図の多い教科があるため、タブレットかパソコンをおすすめする予定です。",
            },
            {
              title: "問題は過去の入試問題ですか",
              text: "いいえ。すべてコノマナが作る、新しい問題です。",
            },
          ]}
        />
      </Section>
      <Call title="待つ間に、苦手な単元をひとつ。">
        <p>模試の範囲になる単元は、いまの講座で学べます。</p>
        <GoButton to={paths.courses({ school_year: ["中3"] })}>中3の講座を見る</GoButton>
      </Call>
    </GuidePage>
  );
}
