//! The callers that each rpc admits.

use kit::caller::Allowed::Anyone;
use kit::caller::Row;

/// One row for each rpc.
pub const CALLERS: &[Row] = &[
    ("/commerce.v1.ProductService/ListProducts", Anyone),
    ("/commerce.v1.ProductService/GetProduct", Anyone),
    ("/commerce.v1.ProductService/ListOffers", Anyone),
];
