//! 特定継続的役務 (specified continuous services): teaching by a person for over two months. An order of
//! it above 50,000 yen is a contract that needs documents and has a cooling-off period.

use crate::cart::Line;

/// Yen, tax included, before discounts. An order above it is a contract.
const CONTRACT_YEN: i64 = 50_000;
/// Two months, the shortest ones, in days.
const TWO_MONTHS: i32 = 59;

/// Whether access of this many days exceeds two months. `None` is access without an end.
pub(crate) fn is_over_two_months(days: Option<i32>) -> bool {
    days.is_none_or(|days| days > TWO_MONTHS)
}

/// The lines of an order that form the contract. Empty if there is none.
pub(crate) fn list_contract(cart: &[Line]) -> Vec<&Line> {
    let lines: Vec<&Line> = cart.iter().filter(|line| line.product.is_continuous_service).collect();
    let price: i64 = lines.iter().map(|line| i64::from(line.product.price)).sum();
    if price > CONTRACT_YEN { lines } else { Vec::new() }
}
