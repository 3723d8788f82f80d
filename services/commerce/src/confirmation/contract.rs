//! The document of a contract of a 特定継続的役務: the content of both the document before the contract
//! (概要書面) and the one after it (契約書面), as required by Articles 42, 48 and 49 of the Act on
//! Specified Commercial Transactions. The date of the contract and the learners are those of the
//! order.

use super::Sums;
use super::terms::Term;
use crate::cart::Line;
use crate::payment::Method;
use crate::refund_policy::RefundPolicy;
use crate::yen::group_digits;

/// The seller, as on the page 特定商取引法に基づく表記.
const SELLER: &str = "株式会社コノマナ\n代表取締役 河野 真名（架空の人物です）\n〒100-0000 東京都千代田区学びが丘1丁目2番3号 コノマナビル4階（実在しない住所です）\n電話 03-0000-0000（つながらない、架空の番号です）";

/// Writes the document, or returns `None` if the order is no such contract.
pub(super) fn write_contract(
    lines: &[&Line],
    sums: Sums,
    method: Method,
    policy: &RefundPolicy,
) -> Option<Vec<Term>> {
    if lines.is_empty() {
        return None;
    }
    let term = |title, text: String| Term { title, text };
    Some(vec![
        term("この書面について", write_notice()),
        term("クーリング・オフ", write_cooling_off(policy)),
        term("中途解約", write_cancellation()),
        term("事業者", SELLER.to_owned()),
        term("役務の内容", write_services(lines)),
        term("役務の提供期間", write_periods(lines)),
        term("購入が必要な商品", "ありません。".to_owned()),
        term("支払う金額", write_price(lines, sums)),
        term("支払の方法と時期", format!("{}{}", method.describe(), method.describe_due())),
        term(
            "割賦販売法に基づく抗弁権の接続",
            "お支払いは一括払いだけです。カード会社との約束で後から分割払いやリボ払いに変えたときは、当社に対して主張できることを理由に、カード会社からの請求を拒めることがあります。"
                .to_owned(),
        ),
        term("前受金の保全", "前受金の保全の措置はありません。".to_owned()),
        term("特約", "ありません。".to_owned()),
    ])
}

fn write_notice() -> String {
    "特定商取引に関する法律の定める書面です。内容をよくお読みください。注文の前は概要書面、注文の後は契約書面で、どちらもこの内容です。紙に代えて、この画面と「ご注文の詳細」で提供することに承諾いただいたときだけ、注文を確定できます。注文の後も、「ご注文の詳細」でいつでも読め、印刷できます。同じ書面を、ご注文のメールでもお送りします。紙での交付をご希望の方は、注文の前にお問い合わせください。"
        .to_owned()
}

fn write_cooling_off(policy: &RefundPolicy) -> String {
    let days = policy.cooling_off_days;
    format!(
        "契約書面を受け取った日から{days}日間は、理由を問わず、書面または電磁的記録（「ご注文の詳細」からの返金の申し込み、メール）で契約を解除できます。当社は、お支払いの日から{days}日以内（{days}日目の終わりまで）のお申し込みを、期間内のものとして受け付けます。解除は、書面または電磁的記録を発した時に効力を生じます。損害賠償や違約金、すでに受けた役務の対価は請求せず、お支払い額の全額をすみやかに返金します。当社が事実とちがうことを告げ、または威迫したために解除しなかったときは、あらためて書面を受け取った日から{days}日間、解除できます。"
    )
}

fn write_cancellation() -> String {
    "クーリング・オフの期間の後も、役務の提供期間のあいだ、理由を問わず、いつでも「ご注文の詳細」から解約できます。お支払い額に、開いていないレッスンの割合をかけた額（1円未満は切り捨て）を返金します。解約料、違約金はありません。"
        .to_owned()
}

/// One line for each product; several learners may get the same one.
fn write_services(lines: &[&Line]) -> String {
    join_lines(lines, |line| format!("{}：{}", line.product.name, line.product.summary))
}

fn write_periods(lines: &[&Line]) -> String {
    join_lines(lines, |line| match line.product.period_days {
        Some(days) => format!("{}：お支払いの完了から{days}日間", line.product.name),
        None => format!("{}：お支払いの完了から。期限はありません", line.product.name),
    })
}

/// The price of each line, and the total of the order.
fn write_price(lines: &[&Line], sums: Sums) -> String {
    let items =
        lines.iter().map(|line| format!("{} {}円", line.product.name, group_digits(line.product.price)));
    let items = items.collect::<Vec<_>>().join("\n");
    let discount = match sums.discount {
        0 => String::new(),
        discount => format!("割引 {}円\n", group_digits(discount)),
    };
    format!(
        "{items}\n{discount}ご注文の合計 {}円（税込。うち消費税{}円）。ほかに支払う金額はありません。",
        group_digits(sums.total),
        group_digits(sums.tax),
    )
}

/// Joins the texts of lines, without repetitions.
fn join_lines(lines: &[&Line], text: impl Fn(&Line) -> String) -> String {
    let mut texts: Vec<String> = Vec::new();
    for text in lines.iter().map(|line| text(line)) {
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join("\n")
}
