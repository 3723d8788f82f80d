import { paths, seller } from "@konomana/paths";
import { Cards, Facts, GuidePage, Section, Call } from "../parts/GuidePage";
import { GoButton } from "../parts/ActionButtons";
import { To } from "../parts/Words";
import { TeacherFaces } from "./TeacherFaces";

/** /about: the operator, its purpose and its promises. */
export function AboutScreen() {
  return (
    <GuidePage
      title="コノマナについて"
      description="コノマナは、中学生・高校生のためのオンライン学習サービスです。大切にしていること、講座の作り方、運営についてご紹介します。"
      eyebrow="コノマナについて"
      heading={
        <>
          「わかった」の次に、
          <br />
          「もうひとつ」を。
        </>
      }
      lead="コノマナは「このまま学ぶ」「好みの場所で学ぶ」という願いからつけた名前です。通う時間も、住んでいる場所も関係なく、ひとつずつ理解を積み上げられる学びの場をめざしています。"
      art={<TeacherFaces />}
    >
      <Section title="3つの約束">
        <Cards
          points={[
            {
              title: "中身を、先に見せます",
              text: "講座のページに、すべての章・単元・レッスンの名前と長さを出しています。中身を見てから、始めるかどうかを決めてください。",
            },
            {
              title: "大きく見せません",
              text: "実績の数字には、人数の母数と、いつの数字かを必ずそえます。まだできないことは「準備中」と書きます。",
            },
            {
              title: "時間を大切にします",
              text: "レッスンは5〜12分。続きがすぐわかる画面にして、くり返しの通知や、あおる言葉で引きとめることはしません。",
            },
          ]}
        />
      </Section>
      <Section title="講座の作り方">
        <p>
          ひとつの講座は、3つの章、6つの単元、18のレッスンでできています。講師が「どこでつまずくか」を先に洗い出し、そこから逆算して順番を決めます。ひとつのレッスンで教えることは、ひとつだけ。名前を読めば、何ができるようになるかがわかるようにしています。
        </p>
        <p>
          中1から高3まで、英語・数学・国語・理科・社会の講座があります。
          <To to={paths.courses()}>講座の一覧</To>から、学年と教科でさがせます。
        </p>
      </Section>
      <Section title="だれにでも使いやすく">
        <p>
          画面の文字は大きくしてもくずれません。キーボードだけでも、読み上げソフトでも使えるように作り、公開の前に毎回、自動の検査で確かめています。色だけで意味を伝えることはしません。動きを減らす設定にも対応しています。
        </p>
      </Section>
      <Section title="運営について">
        <Facts
          points={[
            { title: "運営", text: `${seller.name}（${seller.fiction}）` },
            { title: "代表", text: seller.representative },
            { title: "所在地", text: seller.address },
            {
              title: "事業の内容",
              text: "中学生・高校生向けオンライン学習サービス「コノマナ」の企画と運営",
            },
            {
              title: "お問い合わせ",
              text: (
                <>
                  <To to={paths.answers()}>よくある質問</To>をご覧のうえ、
                  <To to={paths.contact()}>お問い合わせ</To>のフォームからお送りください。
                </>
              ),
            },
            {
              title: "きまりごと",
              text: (
                <>
                  <To to={paths.eula()}>利用規約</To>、
                  <To to={paths.privacy()}>プライバシーポリシー</To>、
                  <To to={paths.commerce()}>特定商取引法に基づく表記</To>
                </>
              ),
            },
          ]}
        />
      </Section>
      <Call title="まずは、講座の中身をご覧ください。">
        <GoButton to={paths.courses()}>講座を見る</GoButton>
      </Call>
    </GuidePage>
  );
}
