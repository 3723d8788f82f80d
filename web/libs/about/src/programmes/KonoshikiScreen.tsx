import { paths } from "@konomana/paths";
import { Call, Cards, Facts, GuidePage, Note, Section, Steps } from "../parts/GuidePage";
import { PlanArt } from "../parts/ProgrammeArt";
import { GoButton } from "../parts/ActionButtons";
import { To } from "../parts/Words";

/** /konoshiki: a planned programme that has not started. */
export function KonoshikiScreen() {
  return (
    <GuidePage
      title="コノシキ"
      description="コノシキは、教科ごとの診断から、あなたに合った学習計画を作るプログラムです。現在、開始に向けて準備中です。"
      tone="leaf"
      eyebrow="準備中"
      heading={
        <>
          どこから始めるかを、
          <br />
          いっしょに決める。
        </>
      }
      lead="コノシキは、教科ごとに「いまどこまでわかっているか」を診断し、どのレッスンをどの順に学ぶかの計画を作るプログラムです。お申し込みは、まだ始まっていません。"
      art={<PlanArt />}
    >
      <Section title="いつ始まりますか">
        <Note title="開始日は、まだ決まっていません">
          <p>
            始まる教科・日にち・料金が決まりしだい、このページと
            <To to={paths.notices()}>お知らせ</To>のページで同時に発表します。
          </p>
        </Note>
      </Section>
      <Section title="どう進みますか（予定）">
        <Steps
          points={[
            {
              title: "教科をえらぶ",
              text: "1教科から始められます。あとから教科をふやすこともできます。",
            },
            {
              title: "診断を受ける",
              text: "答えに合わせて次の問題が変わるテストです。短い時間で、つまずきの場所を見つけます。",
            },
            {
              title: "計画を受け取る",
              text: "すすめるレッスンの順番と、その理由が書かれた計画です。納得してから始められます。",
            },
            {
              title: "週に1度、ふり返る",
              text: "予定したこと、できたこと、まだ弱いところを見て、次の週の計画を作り直します。",
            },
          ]}
        />
      </Section>
      <Section title="こんな人に向いています">
        <Cards
          points={[
            {
              title: "何から手をつけるか、決められない",
              text: "全部やり直すのではなく、必要なところだけを選びます。",
            },
            {
              title: "計画を立てても、続かない",
              text: "毎週、現実に合わせて計画のほうを直します。",
            },
            {
              title: "定期テストは取れるのに、模試が苦手",
              text: "前の学年までさかのぼって、抜けている単元を見つけます。",
            },
          ]}
        />
      </Section>
      <Section title="きまりごと">
        <Facts
          points={[
            {
              title: "規約",
              text: (
                <>
                  <To to={paths.konoshikiEula()}>コノシキ利用規約</To>
                  を、始まる前からお読みいただけます。
                </>
              ),
            },
            { title: "料金", text: "決まっていません。発表のときに、税込の金額でお知らせします。" },
          ]}
        />
      </Section>
      <Call title="いまは、講座をひとつずつ選べます。">
        <p>講座のページでレッスンの名前を見ると、始める場所が見つかります。</p>
        <GoButton to={paths.courses()}>講座を見る</GoButton>
      </Call>
    </GuidePage>
  );
}
