//! Writes documents on blocking threads.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Fonts, PdfError};

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
    pub async fn permit(&self) -> Result<PdfPermit, PdfError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let permit = permit.map_err(|error| PdfError::Document(error.to_string()))?;
        Ok(PdfPermit { fonts: Arc::clone(&self.fonts), permit })
    }
}

/// The right to write one document.
pub struct PdfPermit {
    fonts: Arc<Fonts>,
    permit: OwnedSemaphorePermit,
}

impl PdfPermit {
    /// Writes a document: `|fonts| sheet.write_pdf(fonts)`.
    pub async fn write(
        self,
        document: impl FnOnce(&Fonts) -> Result<Vec<u8>, PdfError> + Send + 'static,
    ) -> Result<Vec<u8>, PdfError> {
        let writing = tokio::task::spawn_blocking(move || {
            let pdf = document(&self.fonts);
            // Held also after the request was dropped.
            drop(self.permit);
            pdf
        });
        writing.await.unwrap_or_else(|error| Err(PdfError::Document(error.to_string())))
    }
}
