import { paths } from "@konomana/paths";
import { Call, Cards, GuidePage, Note, Section } from "../parts/GuidePage";
import { GoButton } from "../parts/ActionButtons";
import { useCampaign } from "./useCampaign";

/** /campaign/summer-2024: says that the campaign is over, and links to other pages. */
export function Summer2024Screen() {
  useCampaign("summer-2024");
  return (
    <GuidePage
      title="2024年 夏の学び直しキャンペーン（終了しました）"
      description="2024年 夏の学び直しキャンペーンは、2024年8月31日に終了しました。いまの講座は、登録なしで中身をご覧いただけます。"
      tone="sun"
      eyebrow="終了しました"
      heading={
        <>
          2024年の夏は、
          <br />
          終わりました。
        </>
      }
      lead="「夏の学び直しキャンペーン」は、2024年8月31日に終了しました。たくさんのご参加を、ありがとうございました。古いリンクから来られた方に、いまのご案内をのせています。"
      action={<GoButton to={paths.courses()}>いまの講座を見る</GoButton>}
    >
      <Section title="どんなキャンペーンだったか">
        <p>
          夏休みの40日間で、前の学年の単元をひとつずつ学び直す企画でした。合言葉は「1日1本、9月に笑う」。いまは、新しいお申し込みや、特典の受け取りはできません。
        </p>
        <Note title="このキャンペーンを名のる案内にご注意ください">
          <p>終わったキャンペーンについて、当社から料金や個人情報をお願いすることはありません。</p>
        </Note>
      </Section>
      <Section title="夏でなくても、学び直せます">
        <Cards
          points={[
            {
              title: "前の学年の講座をえらぶ",
              text: "どの学年の講座も、いつでも選べます。中身は登録しなくても見られます。",
            },
            {
              title: "1日1本から始める",
              text: "レッスンは1本5〜12分。40日続けると、2つの講座がほぼ終わる長さです。",
            },
            {
              title: "チェックで積み重ねを見る",
              text: "登録すると、終わったレッスンにチェックをつけて、進みぐあいを残せます。",
            },
          ]}
        />
      </Section>
      <Call title="次の「わかった」は、いまの講座で。">
        <GoButton to={paths.courses()}>いまの講座を見る</GoButton>
      </Call>
    </GuidePage>
  );
}
