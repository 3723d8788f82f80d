//! Encodes why a coupon gives no discount.

use proto::commerce as wire;

use crate::coupon::quote::Problem;

pub(super) fn encode_problem(problem: Option<Problem>) -> wire::CouponProblem {
    match problem {
        None => wire::CouponProblem::Unspecified,
        Some(Problem::Minimum) => wire::CouponProblem::Minimum,
        Some(Problem::Scope) => wire::CouponProblem::Scope,
        Some(Problem::Expired) => wire::CouponProblem::Expired,
        Some(Problem::NotStarted) => wire::CouponProblem::NotStarted,
        Some(Problem::Used) => wire::CouponProblem::Used,
        Some(Problem::UsedUp) => wire::CouponProblem::UsedUp,
        Some(Problem::EmptyCart) => wire::CouponProblem::EmptyCart,
        Some(Problem::FirstOrderOnly) => wire::CouponProblem::FirstOrderOnly,
    }
}
