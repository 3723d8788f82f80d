import { isOpen, namesOf, paths } from "@konomana/paths";
import { HomeArt } from "../parts/DeskArt";
import { Call, Cards, Facts, GuidePage, Note, Section, Steps } from "../parts/GuidePage";
import { StartButton } from "../parts/ActionButtons";
import { To } from "../parts/Words";

/** /parent: the offer as a parent sees it. */
export function ParentScreen() {
  return (
    <GuidePage
      title="保護者の方へ"
      description="コノマナでは、お子さまの学習の進みぐあいを保護者の方のスマートフォンから確かめられます。費用の考え方、お子さまを守るしくみ、いまできることをご説明します。"
      tone="sky"
      eyebrow="保護者の方へ"
      heading={
        <>
          「勉強したの？」と
          <br />
          聞かなくてすむように。
        </>
      }
      lead="お子さまがどの講座をどこまで進めたかを、保護者の方のマイページで確かめられます。つながるかどうかを決めるのは、お子さまです。見張るのではなく、声をかけるきっかけとしてお使いください。"
      action={<StartButton kind="guardian" label="保護者として無料で登録する" />}
      art={<HomeArt />}
    >
      <Section title="進みぐあいの見え方">
        <Facts
          points={[
            {
              title: "見られるもの",
              text: "持っている講座の名前、学習済みのレッスンの数、最後に学習した日、講座の期限、修了したかどうか。この7日間に学習した時間、次のレッスン、復習する問題の数。",
            },
            {
              title: "見られないもの",
              text: "パスワード、メールアドレス、お気に入りや「あとで見る」の中身。お子さまの代わりに何かを変えることもできません。",
            },
            {
              title: "お子さまに伝わること",
              text: "保護者の方がいつ見たかが、お子さまの設定画面に記録されます。記録は1年で消えます。",
            },
            {
              title: "つながれる人数",
              text: "お子さま1人につき、保護者の方4人まで。1人の保護者の方が、きょうだい全員とつながることもできます。",
            },
          ]}
        />
      </Section>
      <Section title="つながるまでの3ステップ">
        <Steps
          points={[
            {
              title: "保護者の方が登録する",
              text: "新規登録で「保護者」をえらび、メールアドレスを確認すると、保護者用のマイページができます。費用はかかりません。",
            },
            {
              title: "お子さまが8文字のコードを出す",
              text: "お子さまの「設定」の「保護者とのつながり」で、コードを発行します。コードは24時間使えます。",
            },
            {
              title: "コードを入力する",
              text: "保護者の方のマイページでコードを入力すると、つながります。どちらからでも、いつでも解除できます。",
            },
          ]}
        />
      </Section>
      <Section title="費用について">
        <Facts
          points={[
            { title: "登録・利用", text: "無料です。入会金、年会費、教材の送料はありません。" },
            {
              title: "講座",
              text: (
                <>
                  講座ごとの買い切りです。金額と使える期間は、
                  <To to={paths.courses()}>それぞれの講座のページ</To>
                  に税込で書いてあります。自動で次の講座が買われることはありません。
                </>
              ),
            },
            ...(isOpen("purchase")
              ? []
              : [
                  {
                    title: "購入の手続き",
                    text: "準備中です。始まるまで、このサイトで料金をいただくことはありません。カード番号をうかがう画面もありません。",
                  },
                ]),
            {
              title: "お子さまの購入",
              text: "18歳未満のお子さまの購入には、保護者の方の同意が必要です。同意のお願いはメールでお送りし、48時間以内に返事がなければ無効になります。",
            },
          ]}
        />
      </Section>
      <Section title="お子さまを守るために">
        <Cards
          points={[
            {
              title: "ほかの人とつながりません",
              text: "生徒どうしのメッセージや、公開のプロフィールはありません。知らない人から連絡が来ることはありません。",
            },
            {
              title: "広告も、追跡もありません",
              text: (
                <>
                  このサイトは、広告を表示しません。閲覧の記録を、ほかの会社に送ることもありません。くわしくは
                  <To to={paths.privacy()}>プライバシーポリシー</To>をご覧ください。
                </>
              ),
            },
            {
              title: "ログインを確かめられます",
              text: "どの端末でログインしているかを設定で一覧でき、1台ずつ、またはまとめてログアウトさせられます。",
            },
            {
              title: "やめるときも、かんたんです",
              text: "退会は設定の画面からできます。30日以内ならもとに戻せ、それを過ぎると個人の情報を消します。データのダウンロードもできます。",
            },
          ]}
        />
        <Note title="いまできないことも、お伝えします">
          <p>
            {namesOf(false)}は、準備中です。進みぐあいは、いまはマイページでご覧いただく形です。
          </p>
        </Note>
      </Section>
      <Call title="登録は3分で終わります。">
        <p>
          お子さまが先に登録していても、あとからつながれます。ご不明な点は、
          <To to={paths.answers()}>よくある質問</To>をご覧ください。
        </p>
        <StartButton kind="guardian" label="保護者として無料で登録する" />
      </Call>
    </GuidePage>
  );
}
