//! The term 申込みの撤回・解約. It matches the page 特定商取引法に基づく表記.

use crate::cart::Line;
use crate::continuous_service;
use crate::japan_time::format_last_day;
use crate::product::Kind;
use crate::refund_policy::RefundPolicy;

/// Writes how an order of these lines is cancelled or refunded under its refund policy.
pub(super) fn write_withdrawal(cart: &[Line], policy: &RefundPolicy) -> String {
    let has = |kind| cart.iter().any(|line| line.product.kind == kind);
    let (course, seat, subscription) = (has(Kind::Course), has(Kind::ExamSeat), has(Kind::Subscription));
    let mut parts = vec!["お支払いの完了までは、注文を取り消せます。".to_owned()];
    if course || seat {
        let items = match (course, seat) {
            (true, true) => "講座と模試",
            (true, false) => "講座",
            _ => "模試",
        };
        parts.push(format!("{items}は、お支払いの後も、注文の画面から返金を申し込めます。"));
    }
    let contract = continuous_service::list_contract(cart);
    if !contract.is_empty() {
        parts.push(write_cooling_off(&contract, policy));
    }
    if course {
        parts.push(write_course_refund(policy));
    }
    parts.push(write_exam_seats(cart));
    if subscription {
        parts.push(
            "月額サービスは、お支払いの後の返金はありません。解約すると、次からの請求はありません。"
                .to_owned(),
        );
    }
    let item = match (course, seat, subscription) {
        (true, false, false) => "講座",
        (false, true, false) => "模試",
        (false, false, true) => "月額サービス",
        _ => "商品",
    };
    parts.push(format!(
        "{item}が説明とちがう、使えないなど、当社に原因があるときは、使えるようにするか、全額を返金します。"
    ));
    let is_contract = !contract.is_empty();
    parts.push(if is_contract && contract.len() == cart.len() {
        String::new()
    } else if is_contract {
        "ほかの商品に、クーリング・オフの制度は適用されません。".to_owned()
    } else {
        "クーリング・オフの制度は、通信販売には適用されません。".to_owned()
    });
    parts.concat()
}

/// The cooling-off of the courses of a contract of a 特定継続的役務.
fn write_cooling_off(contract: &[&Line], policy: &RefundPolicy) -> String {
    let mut names: Vec<String> = Vec::new();
    for name in contract.iter().map(|line| format!("「{}」", line.product.name)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let days = policy.cooling_off_days;
    format!(
        "{}は特定継続的役務提供にあたり、お支払いの日から{days}日以内（{days}日目の終わりまで）なら、開いたレッスンの数にかかわらず、クーリング・オフにより全額を返金します。",
        names.concat()
    )
}

/// The refund of a course by the opened lessons.
fn write_course_refund(policy: &RefundPolicy) -> String {
    let RefundPolicy { full_days, full_below_percent, .. } = policy;
    format!(
        "お支払いの日から{full_days}日以内（{full_days}日目の終わりまで）で、開いたレッスンが{full_below_percent}%未満なら、全額を返金します。それを過ぎたとき、または{full_below_percent}%以上を開いたときは、利用期間のあいだ、お支払い額に、開いていないレッスンの割合をかけた額（1円未満は切り捨て）を返金します。申し込むと、その講座はすぐに使えなくなります。利用期間が終わった後の返金はありません。"
    )
}

/// The last day on which a seat of each exam can be returned.
fn write_exam_seats(cart: &[Line]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for line in cart {
        let Some(closes_at) = line.product.application_closes_at else { continue };
        let text = format!(
            "「{}」は、申込みの締め切り（{}）まで、全額を返金します。返金すると、受験できなくなります。締め切りを過ぎた後の返金はありません。",
            line.product.name,
            format_last_day(closes_at),
        );
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.concat()
}
