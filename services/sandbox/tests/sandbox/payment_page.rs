//! The payment page.

use http::StatusCode;

use crate::support::{NOW, SESSION, Sandbox};

const GOOD: &str = "4242 4242 4242 4242";

#[tokio::test]
async fn the_page_says_what_is_paid_and_leads_back_both_ways() {
    let sandbox = Sandbox::new().await;
    let id = sandbox.create().await;
    let page = sandbox.page(&format!("/pay/{id}")).await;
    assert_eq!(page.status, StatusCode::OK);
    for text in [
        "16,500円",
        "KM-261125-7Q4F2",
        "中3数学 &#60;二次方程式&#62;",
        "11月26日 19:00",
        "href=\"http://site.test/back?a=1&#38;b=2\">戻る</a>",
        "<label for=\"number\">カード番号</label>",
        "<label for=\"expiry\">有効期限 (月/年)</label>",
        "<label for=\"cvc\">セキュリティコード</label>",
        "支払う</button>",
    ] {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    assert!(!page.text.contains("role=\"alert\""));
    assert_eq!(page.headers["cache-control"], "no-store");
    let paid = sandbox.pay(&id, GOOD).await;
    assert_eq!(paid.location(), format!("http://site.test/done?session={id}"));
    let after = sandbox.page(&format!("/pay/{id}")).await;
    assert!(after.text.contains("お支払いは完了しています。"), "{}", after.text);
    assert!(!after.text.contains("<form"));
    // A second click changes nothing.
    assert_eq!(sandbox.pay(&id, GOOD).await.status, StatusCode::OK);
}

#[tokio::test]
async fn each_invalid_field_shows_its_error_and_nothing_is_paid() {
    let sandbox = Sandbox::new().await;
    let id = sandbox.create().await;
    for (number, expiry, cvc, error) in [
        ("", "12/34", "123", "カード番号を入力してください。"),
        ("4242 4242 4242 4241", "12/34", "123", "カード番号が正しくありません。"),
        ("abcd", "12/34", "123", "カード番号が正しくありません。"),
        (GOOD, "", "123", "有効期限を入力してください。"),
        (GOOD, "13/34", "123", "月/年の順で入力してください。"),
        (GOOD, "12/3", "123", "月/年の順で入力してください。"),
        (GOOD, "あ/い", "123", "月/年の順で入力してください。"),
        (GOOD, "10/26", "123", "有効期限が過ぎています。"),
        (GOOD, "12/34", "", "セキュリティコードを入力してください。"),
        (GOOD, "12/34", "12", "3桁または4桁の数字です。"),
    ] {
        let form = [("number", number), ("expiry", expiry), ("cvc", cvc)];
        let answer = sandbox.submit(&format!("/pay/{id}"), &form).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{form:?}");
        assert!(answer.text.contains(error), "{error}: {}", answer.text);
        assert_eq!(answer.text.matches("aria-invalid=\"true\" aria-describedby").count(), 1, "{form:?}");
        assert!(number.is_empty() || !answer.text.contains(number), "a number is never sent back");
    }
    assert_eq!(sandbox.session(&id).await["payment_intent"], serde_json::Value::Null);
}

#[tokio::test]
async fn a_card_is_read_as_people_type_it() {
    for (number, expiry) in [
        ("4242-4242-4242-4242", "11/26"),
        ("４２４２４２４２４２４２４２４２", "１２／３４"),
        (" 4242424242424242 ", "12 / 2034"),
        (GOOD, "1234"),
    ] {
        let sandbox = Sandbox::new().await;
        let id = sandbox.create().await;
        let form = [("number", number), ("expiry", expiry), ("cvc", "１２３")];
        let answer = sandbox.submit(&format!("/pay/{id}"), &form).await;
        assert!(answer.text.is_empty(), "{form:?}: {}", answer.text);
        assert!(answer.location().starts_with("http://site.test/done"));
    }
}

#[tokio::test]
async fn a_refused_card_says_why_and_another_one_pays() {
    let sandbox = Sandbox::new().await;
    let id = sandbox.create().await;
    for (number, code, decline_code, text) in [
        ("4000000000000002", "card_declined", "generic_decline", "カードをご利用になれませんでした。"),
        ("4000000000009995", "card_declined", "insufficient_funds", "残高または利用可能額が不足しています。"),
        ("4000000000009987", "card_declined", "lost_card", "カードをご利用になれませんでした。"),
        ("4000000000000069", "expired_card", "", "カードの有効期限が切れています。"),
        ("4000000000000127", "incorrect_cvc", "", "セキュリティコードが正しくありません。"),
        ("4000000000000119", "processing_error", "", "お支払いは済んでいません。"),
        ("5555555555554444", "card_declined", "test_mode_live_card", "試験用のカード番号ではない"),
    ] {
        assert_eq!(sandbox.pay(&id, number).await.location(), format!("/pay/{id}"));
        let page = sandbox.page(&format!("/pay/{id}")).await;
        assert!(page.text.contains(text), "{number}: {}", page.text);
        assert!(page.text.contains("<title>エラー："));
        let session = sandbox.session(&id).await;
        let problem = &session["payment_intent"]["last_payment_error"];
        assert_eq!(problem["code"], code);
        assert_eq!(problem["decline_code"].as_str().unwrap_or_default(), decline_code);
        assert_eq!(session["status"], "open");
    }
    assert!(sandbox.pay(&id, GOOD).await.location().starts_with("http://site.test/done"));
    let session = sandbox.session(&id).await;
    assert_eq!(session["payment_status"], "paid");
    assert_eq!(session["payment_intent"]["last_payment_error"], serde_json::Value::Null);
}

#[tokio::test]
async fn three_d_secure_succeeds_or_fails() {
    let sandbox = Sandbox::new().await;
    let id = sandbox.create().await;
    let authenticate = format!("/pay/{id}/authenticate");
    // 3-D Secure is not required yet.
    assert_eq!(sandbox.page(&authenticate).await.location(), format!("/pay/{id}"));
    assert_eq!(
        sandbox.submit(&authenticate, &[("result", "success")]).await.location(),
        format!("/pay/{id}")
    );
    assert_eq!(sandbox.session(&id).await["payment_status"], "unpaid");

    assert_eq!(sandbox.pay(&id, "4000002500003155").await.location(), authenticate);
    let page = sandbox.page(&authenticate).await;
    for text in ["認証に成功する</button>", "認証に失敗する</button>", "16,500円"] {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    assert_eq!(sandbox.session(&id).await["payment_intent"]["status"], "requires_action");
    assert_eq!(
        sandbox.submit(&authenticate, &[("result", "failure")]).await.location(),
        format!("/pay/{id}")
    );
    assert!(sandbox.page(&format!("/pay/{id}")).await.text.contains("本人認証に失敗しました。"));
    assert_eq!(
        sandbox.session(&id).await["payment_intent"]["last_payment_error"]["code"],
        "payment_intent_authentication_failure"
    );

    sandbox.pay(&id, "4000002500003155").await;
    let done = sandbox.submit(&authenticate, &[("result", "success")]).await;
    assert_eq!(done.location(), format!("http://site.test/done?session={id}"));
    assert_eq!(sandbox.session(&id).await["payment_status"], "paid");
}

#[tokio::test]
async fn an_expired_or_unknown_page_says_so() {
    let sandbox = Sandbox::new().await;
    let expires_at = (NOW + time::Duration::minutes(30)).unix_timestamp().to_string();
    let form = [SESSION, &[("expires_at", &*expires_at)]].concat();
    let session = sandbox.post("/v1/checkout/sessions", "", &form).await.json();
    let id = session["id"].as_str().unwrap();
    sandbox.clock.advance(time::Duration::minutes(30));
    for answer in [sandbox.page(&format!("/pay/{id}")).await, sandbox.pay(id, GOOD).await] {
        assert!(
            answer.text.contains("有効期限が切れました。お支払いは行われていません。"),
            "{}",
            answer.text
        );
        assert!(answer.text.contains("戻る</a>"));
    }
    assert_eq!(sandbox.session(id).await["status"], "expired");
    let unknown = sandbox.page("/pay/cs_none").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert!(unknown.text.contains("お支払いページが見つかりません。"));
}
