import { paths, seller } from "@konomana/paths";
import { Facts, GuidePage, Note, Section } from "../parts/GuidePage";
import { To } from "../parts/Words";

/** /commerce: the seller's disclosure under the Act on Specified Commercial Transactions. */
export function CommerceScreen() {
  return (
    <GuidePage
      title="特定商取引法に基づく表記"
      description="コノマナの販売業者、価格、支払い、引き渡し、返品・解約などについて、特定商取引法に基づいて表示します。"
      heading="特定商取引法に基づく表記"
      lead="通信販売について、法律が定める事項を表示しています。"
    >
      <Section title="はじめに">
        <Note title="販売業者は、架空の会社です">
          <p>
            コノマナはデモンストレーションのためのサービスで、{seller.name}
            は実在しません。{" "}
          </p>
        </Note>
      </Section>
      <Section title="販売業者">
        <Facts
          points={[
            { title: "販売業者", text: `${seller.name}（${seller.fiction}）` },
            { title: "運営責任者", text: seller.representative },
            { title: "所在地", text: seller.address },
            {
              title: "電話番号",
              text: (
                <>
                  <p>{seller.phone}</p>
                  <p>受付：{seller.hours}</p>
                </>
              ),
            },
            {
              title: "メールアドレス",
              text: (
                <>
                  {seller.email}（架空のアドレスです）。
                  <To to={paths.contact()}>お問い合わせのフォーム</To>もお使いいただけます。
                </>
              ),
            },
            { title: "適格請求書発行事業者の登録番号", text: "T0000000000000（架空の番号です）" },
          ]}
        />
      </Section>
      <Section title="価格と支払い">
        <Facts
          points={[
            {
              title: "販売価格",
              text: (
                <>
                  <To to={paths.courses()}>それぞれの講座のページ</To>
                  に、消費税をふくむ金額で表示します。
                </>
              ),
            },
            {
              title: "商品代金のほかに必要な料金",
              text: "インターネットの通信料（お客さまの負担）。送料、入会金、年会費はありません。",
            },
            {
              title: "支払いの方法",
              text: "クレジットカード。決済代行会社のページでお支払いいただきます。",
            },
            {
              title: "支払いの時期",
              text: "注文の確定から1時間以内にお支払いください。過ぎると、注文は取り消されます。引き落としの日は、カード会社の定めによります。",
            },
          ]}
        />
      </Section>
      <Section title="引き渡しと使える期間">
        <Facts
          points={[
            {
              title: "引き渡しの時期",
              text: "お支払いの完了後すぐに（通常5秒以内）、マイページで使えるようになります。模試は、マイページで受験の準備を始められます。",
            },
            {
              title: "使える期間",
              text: "講座のページと最終確認画面に示します。期間は、お支払いの完了から数えます。自動では更新されません。模試は、模試のページに示した期間に、1回受験できます。",
            },
            {
              title: "必要な環境",
              text: "インターネットにつながる、スマートフォン・タブレット・パソコンと、Chrome・Safari・Edge・Firefoxの新しい版。JavaScriptを有効にしてください。",
            },
            {
              title: "販売数量",
              text: "同じ講座は、期限が切れるまで1つだけ購入できます。模試は、お一人1席で、定員があります。",
            },
          ]}
        />
      </Section>
      <Section title="申し込みの期間・取り消し・返金・解約">
        <Facts
          points={[
            {
              title: "申し込みの期間",
              text: "期間を限って販売する商品は、商品のページに期間を示します。示していない商品には、期間の定めはありません。",
            },
            {
              title: "申し込みの取り消し",
              text: "お支払いの完了までは、注文を取り消せます。お支払いの後は、次の条件で返金を申し込めます。",
            },
            {
              title: "返品・返金（返品特約）",
              text: "お支払いの後も、注文の画面から返金を申し込めます。お支払いの日から8日以内（8日目の終わりまで）で、開いたレッスンが20%未満なら、全額を返金します。それを過ぎたとき、または20%以上を開いたときは、利用期間のあいだ、お支払い額に、開いていないレッスンの割合をかけた額（1円未満は切り捨て）を返金します。申し込むと、その講座はすぐに使えなくなります。利用期間が終わった後の返金はありません。模試は、申込みの締め切りまで全額を返金し、締め切りを過ぎた後の返金はありません。講座が説明とちがう、使えないなど、当社に原因があるときは、使えるようにするか、全額を返金します。クーリング・オフの制度は、通信販売には適用されません。",
            },
            {
              title: "解約・自動更新",
              text: "講座は買い切りで、自動では更新されません。途中でやめるときは、上の条件で返金を申し込めます。違約金はありません。",
            },
            {
              title: "特定継続的役務提供",
              text: "2か月をこえ、かつ5万円をこえる学習指導の契約は、いまは販売していません。販売するときは、法律の定める書面の交付、8日間のクーリング・オフ、中途解約に応じます。",
            },
            {
              title: "18歳未満の方",
              text: "購入には保護者の方の同意が必要です。同意を確認できるまで、注文を確定できません。",
            },
          ]}
        />
        <p>
          そのほかの条件は、<To to={paths.eula()}>利用規約</To>と
          <To to={paths.privacy()}>プライバシーポリシー</To>をご覧ください。
        </p>
      </Section>
    </GuidePage>
  );
}
