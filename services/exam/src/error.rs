//! The errors of exam and their codes.

use kit::error::{Code, FieldError, ServiceError};
use kit_picture::PictureError;
use uuid::Uuid;

/// An error of a call.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A field of the request is invalid.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// Several fields of the request are invalid.
    #[error("invalid fields")]
    Fields(Vec<FieldError>),
    /// The thing does not exist, or belongs to another learner.
    #[error("not found")]
    NotFound,
    /// The learner has no seat in the exam.
    #[error("no seat")]
    NoSeat,
    /// No seat of the exam is left.
    #[error("no seat is left")]
    SeatsGone,
    /// A seat of the exam has to be bought.
    #[error("seats are for sale")]
    SeatForSale,
    /// The exam is not open for application.
    #[error("applications are closed")]
    ApplicationClosed,
    /// The learner has started a paper, so the application cannot change.
    #[error("a paper was started")]
    ExamStarted,
    /// The school is desired with another rank.
    #[error("the school has another rank")]
    SchoolTwice,
    /// The previous rank is empty.
    #[error("the rank before is empty")]
    RankGap,
    /// An earlier step of the application is not done.
    #[error("an earlier step is not done")]
    StepNotOpen,
    /// The exam has not started.
    #[error("the exam has not started")]
    NotOpenYet,
    /// The exam has ended.
    #[error("the exam has ended")]
    ExamEnded,
    /// The learner has a running sitting of another paper.
    #[error("another paper runs")]
    PaperRunning(Uuid),
    /// Another device is active in the sitting.
    #[error("another device is active")]
    OtherDevice(Uuid),
    /// The sitting is sealed.
    #[error("handed in")]
    HandedIn {
        /// The sitting.
        sitting: Uuid,
        /// The hexadecimal digest of its transcript.
        digest: String,
    },
    /// The learner has handed in no paper of the exam, or not this paper.
    #[error("nothing is handed in")]
    NothingHandedIn,
    /// The result is not final.
    #[error("the result is not final")]
    NotFinal,
    /// A picture has too many bytes or pixels.
    #[error("the picture is too large")]
    PictureTooLarge,
    /// A picture is neither PNG, JPEG nor WebP, or damaged.
    #[error("the picture cannot be read")]
    PictureUnreadable,
    /// A transcript or an answer could not be serialized or parsed.
    #[error("a document could not be written or read: {0}")]
    Document(#[from] serde_json::Error),
    /// A transcript does not fit into the layout of a receipt.
    #[error("a transcript does not fit into a receipt")]
    Receipt,
    /// A PDF could not be written.
    #[error("a PDF could not be written: {0}")]
    Pdf(#[from] kit_pdf::PdfError),
    /// A SQL statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
}

impl Error {
    fn problem(&self) -> ServiceError {
        match self {
            Self::Field(field) => field.clone().into(),
            Self::Fields(fields) => fields.clone().into(),
            Self::NotFound => Code::NotFound.into(),
            Self::SeatsGone => ServiceError::new(Code::Conflict, "SEATS_GONE"),
            Self::SeatForSale => ServiceError::new(Code::Conflict, "SEAT_FOR_SALE"),
            Self::ApplicationClosed => ServiceError::new(Code::Conflict, "APPLICATION_CLOSED"),
            Self::ExamStarted => ServiceError::new(Code::Conflict, "EXAM_STARTED"),
            Self::SchoolTwice => ServiceError::new(Code::Conflict, "SCHOOL_TWICE"),
            Self::RankGap => ServiceError::new(Code::Conflict, "RANK_GAP"),
            Self::NoSeat => ServiceError::new(Code::Forbidden, "NO_SEAT"),
            Self::StepNotOpen => ServiceError::new(Code::Conflict, "STEP_NOT_OPEN"),
            Self::NotOpenYet => ServiceError::new(Code::Conflict, "NOT_OPEN_YET"),
            Self::ExamEnded => ServiceError::new(Code::Conflict, "EXAM_ENDED"),
            Self::PaperRunning(sitting) => {
                ServiceError::new(Code::Conflict, "PAPER_RUNNING").with("sitting_id", sitting.to_string())
            }
            Self::OtherDevice(sitting) => {
                ServiceError::new(Code::Conflict, "OTHER_DEVICE").with("sitting_id", sitting.to_string())
            }
            Self::HandedIn { sitting, digest } => ServiceError::new(Code::Conflict, "HANDED_IN")
                .with("sitting_id", sitting.to_string())
                .with("digest", digest.clone()),
            Self::NothingHandedIn => ServiceError::new(Code::Conflict, "NOTHING_HANDED_IN"),
            Self::NotFinal => ServiceError::new(Code::Conflict, "NOT_FINAL"),
            Self::PictureTooLarge => ServiceError {
                reason: "PICTURE_TOO_LARGE".into(),
                ..ServiceError::field("picture", "PICTURE_TOO_LARGE")
            },
            Self::PictureUnreadable => ServiceError {
                reason: "PICTURE_UNREADABLE".into(),
                ..ServiceError::field("picture", "PICTURE_UNREADABLE")
            },
            Self::Document(_) | Self::Receipt | Self::Pdf(_) => Code::Internal.into(),
            Self::Database(error) => kit_db::code(error).into(),
        }
    }
}

impl From<PictureError> for Error {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::TooLarge => Self::PictureTooLarge,
            PictureError::Unreadable => Self::PictureUnreadable,
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        error.problem().into_status(&error)
    }
}
