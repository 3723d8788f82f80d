//! The term 申込みの撤回・解約. The page 特定商取引法に基づく表記 says the same.

use crate::refund_policy::RefundPolicy;

/// Writes how an order is cancelled or refunded, by the rules that it is placed under.
pub(super) fn write_withdrawal(policy: &RefundPolicy) -> String {
    let RefundPolicy { full_days, full_below_percent, .. } = policy;
    format!(
        "お支払いの完了までは、注文を取り消せます。お支払いの後も、注文の画面から返金を申し込めます。お支払いの日から{full_days}日以内（{full_days}日目の終わりまで）で、開いたレッスンが{full_below_percent}%未満なら、全額を返金します。それを過ぎたとき、または{full_below_percent}%以上を開いたときは、利用期間のあいだ、お支払い額に、開いていないレッスンの割合をかけた額（1円未満は切り捨て）を返金します。申し込むと、その講座はすぐに使えなくなります。利用期間が終わった後の返金はありません。講座が説明とちがう、使えないなど、当社に原因があるときは、使えるようにするか、全額を返金します。クーリング・オフの制度は、通信販売には適用されません。"
    )
}
