//! Writes documents as PDF, off the threads of requests.

use std::path::Path;
use std::sync::Arc;

use kit_pdf::{Fonts, PdfError, Sheet};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Documents that are written at the same time. The rest of the processor stays free for requests.
const AT_ONCE: usize = 2;

/// Writes documents as PDF.
#[derive(Clone)]
pub struct PdfWriter {
    fonts: Arc<Fonts>,
    permits: Arc<Semaphore>,
}

impl PdfWriter {
    /// Loads the font from the folder of the npm package `@expo-google-fonts/biz-udpgothic`.
    pub fn load(fonts: &Path) -> Result<Self, PdfError> {
        Ok(Self { fonts: Arc::new(Fonts::load(fonts)?), permits: Arc::new(Semaphore::new(AT_ONCE)) })
    }

    /// Waits until a document can be written. Called before a connection is taken, so that who waits holds none.
    pub(crate) async fn permit(&self) -> Result<PdfPermit, PdfError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(|error| PdfError::Document(error.to_string()))?;
        Ok(PdfPermit { fonts: Arc::clone(&self.fonts), permit })
    }
}

/// The right to write one document.
pub(crate) struct PdfPermit {
    fonts: Arc<Fonts>,
    permit: OwnedSemaphorePermit,
}

impl PdfPermit {
    /// Writes a document on a blocking thread.
    pub(crate) async fn write(self, sheet: Sheet) -> Result<Vec<u8>, PdfError> {
        let writing = tokio::task::spawn_blocking(move || {
            let pdf = sheet.write_pdf(&self.fonts);
            // Held also after the request was dropped.
            drop(self.permit);
            pdf
        });
        writing.await.unwrap_or_else(|error| Err(PdfError::Document(error.to_string())))
    }
}
