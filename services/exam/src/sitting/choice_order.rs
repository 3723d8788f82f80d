//! The order of a question's choices for one candidate. It is computed and not stored: the ids of the learner and the
//! question never change, and the choices of a paper are frozen at its first sitting, so every device and every later
//! page shows the same order. Questions keep the order of the paper, because they may build on each other.

use aws_lc_rs::digest::{SHA256, digest};
use uuid::Uuid;

/// Returns the ids `1..=count` in the learner's order, which never changes.
pub(crate) fn shuffle_choices(learner: Uuid, question: i64, count: i32) -> Vec<i32> {
    let mut ids: Vec<i32> = (1..=count).collect();
    ids.sort_by_cached_key(|id| {
        let input = [&learner.as_bytes()[..], &question.to_be_bytes(), &id.to_be_bytes()].concat();
        digest(&SHA256, &input).as_ref().to_vec()
    });
    ids
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_candidate_always_sees_the_same_order_and_candidates_see_all_orders() {
        let order = |learner: u128| shuffle_choices(Uuid::from_u128(learner), 101, 4);
        assert_eq!(order(1), order(1));
        let orders: BTreeSet<_> = (1..=500).map(order).collect();
        assert_eq!(orders.len(), 24, "of 4 choices");
        for order in orders {
            assert_eq!(order.iter().copied().collect::<BTreeSet<_>>(), (1..=4).collect());
        }
    }

    #[test]
    fn each_question_has_its_own_order() {
        let orders: BTreeSet<_> = (101..=160).map(|id| shuffle_choices(Uuid::nil(), id, 4)).collect();
        assert!(orders.len() > 10);
    }
}
