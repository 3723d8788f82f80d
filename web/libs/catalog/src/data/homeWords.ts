import { isOpen, namesOf } from "@konomana/paths";
import type { Home } from "../api";
import type { HomeWords } from "./home";

/** The words of the front page that come with its data. Only a build needs this module. */
export function homeWords({ featured }: Home): HomeWords {
  const days = featured.find(({ product }) => product !== null)?.product?.period_days;
  return {
    costs: [
      {
        title: "買い切り",
        text: "払うのは講座ごとに1回だけ。次の講座が自動で買われることはありません。",
      },
      ...(days
        ? [
            {
              title: `${days}日`,
              text: "購入した日から、何度でも学べます。ノートと記録は、そのあとも残ります。",
            },
          ]
        : []),
      { title: "月額なし", text: "入会金も年会費もありません。登録は無料です。" },
    ],
    upcoming: `${namesOf(false)}は準備中です。${
      isOpen("purchase") ? "" : "始まるまで、料金をいただくことはありません。"
    }`,
    steps: [
      {
        title: "えらぶ",
        text: "学年と教科から講座をさがします。章もレッスンも、その長さまで、始める前にすべて見られます。",
      },
      {
        title: "進める",
        text: "終わったレッスンに「学習済みチェック」。どこまで進んだかが、マイページでひと目でわかります。",
      },
      {
        title: "ふり返る",
        text: "大事なレッスンは「お気に入り」、気になる講座は「あとで見る」。見返したいときにすぐ戻れます。",
      },
    ],
    learner: {
      title: "部活の前の10分でも、ひとつ進める。",
      text: "レッスンは短く区切ってあるので、すきま時間にちょうどいい長さです。わからなくなったら、前の学年の講座に戻ってもだいじょうぶ。順番も速さも、自分で決められます。",
    },
    parent: {
      title: "何を、どれだけ学ぶのかが見える。",
      text: "講座ごとに、章・単元・レッスンの内容と時間、担当の先生を公開しています。始める前に、お子さまと一緒に中身をお確かめください。",
    },
  };
}
