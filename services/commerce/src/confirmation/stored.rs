//! Reads the terms of a stored confirmation, for the emails of its order.

use serde::Deserialize;

/// The terms and the contract document of an order, word for word.
#[derive(Default, Deserialize)]
pub(crate) struct StoredTerms {
    pub(crate) terms: Vec<StoredTerm>,
    /// Empty unless the order is a contract of a 特定継続的役務.
    #[serde(default)]
    pub(crate) contract: Vec<StoredTerm>,
}

#[derive(Deserialize)]
pub(crate) struct StoredTerm {
    pub(crate) title: String,
    pub(crate) text: String,
}

/// Reads the terms in a document. An erased one is empty.
pub(crate) fn read_terms(document: &[u8]) -> StoredTerms {
    if document.is_empty() {
        return StoredTerms::default();
    }
    serde_json::from_slice(document).unwrap_or_else(|error| {
        // The payment goes on: the order's page has the document too. The error may quote the document, which has names.
        let (line, column) = (error.line(), error.column());
        tracing::error!(line, column, "the terms of a confirmation can't be parsed for an email");
        StoredTerms::default()
    })
}
