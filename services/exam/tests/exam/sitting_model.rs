//! Tests sittings against a model with random sequences: two devices, lost, doubled, late and
//! reordered messages, clocks that are wrong or set during a sitting, take-overs, and the sealing
//! job. `PROPTEST_CASES` sets the number of sequences.
//!
//! Invariants of every sequence: no acknowledged answer is lost. No answer that was given too late
//! counts. An answer that was given and arrived in time is not refused as late. The deadline and
//! the sealed bytes never change.

use std::collections::BTreeMap;

use kit::error::{Code, ServiceError};
use proptest::prelude::{Strategy, any};
use proptest::prop_oneof;
use proptest::strategy::Just;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use proto::exam::{
    Answer, AnswerToSave, RefusalCode, SaveAnswersRequest, SaveAnswersResponse, Sitting, SittingState,
};
use time::{Duration, OffsetDateTime};

use crate::hall::{Browser, Candidate, Hall, LONG_PAPER, SECOND, SINGLE, at, number, question_of, text};

/// Sequences of steps without `PROPTEST_CASES`, each with its own candidate.
const CASES: u32 = 64;
/// Offsets of the questions to answer: those with a typed answer.
const QUESTIONS: [i64; 2] = [2, 3];
/// The most messages of a device in the network.
const IN_FLIGHT: usize = 4;

/// A step of a sequence. Numbers select by their remainder, e.g. one of two devices.
#[derive(Clone, Debug)]
enum Step {
    /// The learner answers a question on a device.
    Type { device: usize, question: usize },
    /// A device sends all answers that are not acknowledged.
    Send { device: usize },
    /// A message arrives. Its response may be lost.
    Deliver { message: usize, is_answer_lost: bool },
    /// A message arrives and stays in the network, so it arrives again.
    Double { message: usize },
    /// A message is lost.
    Lose { message: usize },
    /// A device sends, and the message arrives at once.
    Save { device: usize },
    /// A device loads the page, and takes over if it is not active.
    TakeOver { device: usize },
    /// The clock of a device is set by hours.
    SetClock { device: usize, hours: i64 },
    /// Time passes.
    Wait { seconds: i64 },
    /// Time passes until `seconds` before the deadline.
    WaitForDeadline { seconds: i64 },
    /// A device hands in.
    HandIn { device: usize },
    /// The sealing job runs.
    Seal,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let number = any::<usize>;
    let step = prop_oneof![
        8 => (number(), number()).prop_map(|(device, question)| Step::Type { device, question }),
        4 => number().prop_map(|device| Step::Send { device }),
        4 => (number(), any::<bool>())
            .prop_map(|(message, is_answer_lost)| Step::Deliver { message, is_answer_lost }),
        2 => number().prop_map(|message| Step::Double { message }),
        1 => number().prop_map(|message| Step::Lose { message }),
        4 => number().prop_map(|device| Step::Save { device }),
        2 => number().prop_map(|device| Step::TakeOver { device }),
        1 => (number(), prop_oneof![Just(3), Just(-3)])
            .prop_map(|(device, hours)| Step::SetClock { device, hours }),
        3 => (0_i64..600).prop_map(|seconds| Step::Wait { seconds }),
        1 => (-130_i64..20).prop_map(|seconds| Step::WaitForDeadline { seconds }),
        1 => number().prop_map(|device| Step::HandIn { device }),
        1 => Just(Step::Seal),
    ];
    proptest::collection::vec(step, 10..40)
}

/// An answer as it was typed.
#[derive(Clone, Debug)]
struct Typed {
    row: AnswerToSave,
    /// The epoch of the device.
    epoch: i32,
    /// By the server's clock.
    at: OffsetDateTime,
    /// The error of the device's clock.
    error: Duration,
}

/// The version of an answer.
type Version = (i32, i64);

/// The state of a device.
struct Device {
    browser: Browser,
    /// 0 until it has loaded the sitting.
    epoch: i32,
    sequence: i64,
    /// Answers that are not acknowledged.
    outbox: Vec<Typed>,
}

/// A message in the network.
#[derive(Clone)]
struct Message {
    device: usize,
    request: SaveAnswersRequest,
    sent_at: OffsetDateTime,
}

/// One sequence.
struct Case<'a> {
    candidate: Candidate<'a>,
    id: String,
    deadline: OffsetDateTime,
    devices: [Device; 2],
    network: Vec<Message>,
    /// All typed answers, by question and version.
    typed: BTreeMap<(i64, Version), Typed>,
    /// The highest acknowledged version of each question.
    acknowledged: BTreeMap<i64, Version>,
    /// The last known stored version of each question.
    stored: BTreeMap<i64, Version>,
    active: usize,
    epoch: i32,
    /// The bytes of the transcript. `None` until the sitting is sealed.
    document: Option<Vec<u8>>,
}

fn failed(error: impl std::fmt::Debug) -> TestCaseError {
    TestCaseError::fail(format!("{error:?}"))
}

impl<'a> Case<'a> {
    async fn start(hall: &'a Hall, errors: [i64; 2]) -> Result<Self, TestCaseError> {
        let candidate = hall.admit().await;
        let devices = errors.map(|hours| Device {
            browser: Browser::with_clock(Duration::hours(hours)),
            epoch: 0,
            sequence: 0,
            outbox: Vec::new(),
        });
        let sitting = candidate.start(LONG_PAPER, &devices[0].browser).await.map_err(failed)?;
        let mut case = Self {
            candidate,
            id: sitting.id,
            deadline: at(sitting.deadline_at),
            devices,
            network: Vec::new(),
            typed: BTreeMap::new(),
            acknowledged: BTreeMap::new(),
            stored: BTreeMap::new(),
            active: 0,
            epoch: 1,
            document: None,
        };
        case.devices[0].epoch = 1;
        Ok(case)
    }

    fn now(&self) -> OffsetDateTime {
        self.candidate.hall.now()
    }

    /// The expected state at this time.
    fn state(&self) -> SittingState {
        if self.document.is_some() || self.now() >= self.deadline + SECOND * 120 {
            SittingState::Sealed
        } else if self.now() >= self.deadline {
            SittingState::Grace
        } else {
            SittingState::Running
        }
    }

    async fn step(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match *step {
            Step::Type { device, question } => self.type_answer(device % 2, question),
            Step::Send { device } => {
                let device = device % 2;
                let in_flight = self.network.iter().filter(|message| message.device == device).count();
                if in_flight < IN_FLIGHT {
                    let messages = self.messages(device);
                    self.network.extend(messages);
                }
            }
            Step::Deliver { message, is_answer_lost } => {
                if let Some(index) = message.checked_rem(self.network.len()) {
                    let message = self.network.remove(index);
                    self.deliver(&message, is_answer_lost).await?;
                }
            }
            Step::Double { message } => {
                if let Some(index) = message.checked_rem(self.network.len()) {
                    let message = self.network[index].clone();
                    self.deliver(&message, false).await?;
                }
            }
            Step::Lose { message } => {
                if let Some(index) = message.checked_rem(self.network.len()) {
                    self.network.remove(index);
                }
            }
            Step::Save { device } => {
                for message in self.messages(device % 2) {
                    self.deliver(&message, false).await?;
                }
            }
            Step::TakeOver { device } => self.take_over(device % 2).await?,
            Step::SetClock { device, hours } => {
                self.devices[device % 2].browser.error += Duration::hours(hours);
            }
            Step::Wait { seconds } => self.candidate.hall.clock.advance(Duration::seconds(seconds)),
            Step::WaitForDeadline { seconds } => {
                let target = self.deadline - Duration::seconds(seconds);
                if target > self.now() {
                    self.candidate.hall.clock.advance(target - self.now());
                }
            }
            Step::HandIn { device } => self.hand_in(device % 2).await?,
            Step::Seal => {
                self.candidate.hall.seal().await;
            }
        }
        self.check().await
    }

    /// The learner types an answer. It may be after the deadline.
    fn type_answer(&mut self, device: usize, question: usize) {
        let now = self.now();
        let question = question_of(LONG_PAPER, SINGLE) + QUESTIONS[question % QUESTIONS.len()];
        let number_of_all = self.typed.len();
        let device = &mut self.devices[device];
        if device.epoch == 0 {
            return;
        }
        device.sequence += 1;
        let answer = if number_of_all % 5 == 4 {
            None
        } else if question % 100 == 3 {
            number(&number_of_all.to_string())
        } else {
            text(&format!("answer {number_of_all}"))
        };
        let row = AnswerToSave {
            question_id: question,
            sequence: device.sequence,
            answer,
            is_flagged: number_of_all.is_multiple_of(2),
            answered_at: Some(device.browser.time(now)),
        };
        let typed = Typed { row, epoch: device.epoch, at: now, error: device.browser.error };
        self.typed.insert((question, (device.epoch, device.sequence)), typed.clone());
        device.outbox.push(typed);
    }

    /// Makes the messages of a device: one for each epoch with unsent answers.
    fn messages(&self, device: usize) -> Vec<Message> {
        let Device { browser, outbox, .. } = &self.devices[device];
        let mut by_epoch: BTreeMap<i32, Vec<AnswerToSave>> = BTreeMap::new();
        for typed in outbox {
            by_epoch.entry(typed.epoch).or_default().push(typed.row.clone());
        }
        let messages = by_epoch.into_iter().map(|(epoch, rows)| Message {
            device,
            request: self.candidate.message(&self.id, browser, epoch, rows),
            sent_at: self.now(),
        });
        messages.collect()
    }

    async fn deliver(&mut self, message: &Message, is_answer_lost: bool) -> Result<(), TestCaseError> {
        let state = self.state();
        let outcome = self.candidate.send(message.request.clone()).await;
        match outcome {
            Ok(response) => {
                proptest::prop_assert_eq!(message.device, self.active, "only the active device may save");
                proptest::prop_assert_eq!(response.state(), state);
                proptest::prop_assert_eq!(at(response.deadline_at), self.deadline);
                self.take_response(message, &response, is_answer_lost)?;
            }
            Err(refused) => {
                let wanted = if state == SittingState::Sealed { "HANDED_IN" } else { "OTHER_DEVICE" };
                proptest::prop_assert_eq!(&*refused.reason, wanted);
                proptest::prop_assert!(wanted == "HANDED_IN" || message.device != self.active);
                self.expect_refused(&refused)?;
            }
        }
        if state != SittingState::Running {
            return Ok(());
        }
        // Before the deadline, exactly the highest versions that arrived are stored.
        let is_accepted = message.device == self.active || message.request.epoch < self.epoch;
        for row in message.request.answers.iter().filter(|_| is_accepted) {
            let version = (message.request.epoch, row.sequence);
            let stored = self.stored.entry(row.question_id).or_insert(version);
            *stored = version.max(*stored);
        }
        Ok(())
    }

    fn take_response(
        &mut self,
        message: &Message,
        response: &SaveAnswersResponse,
        is_answer_lost: bool,
    ) -> Result<(), TestCaseError> {
        let epoch = message.request.epoch;
        let outcomes = response.acks.len() + response.refused.len();
        proptest::prop_assert_eq!(outcomes, message.request.answers.len(), "one outcome for each answer");
        for ack in &response.acks {
            let version = (epoch, ack.sequence);
            let typed = &self.typed[&(ack.question_id, version)];
            let limit = self.deadline + SECOND;
            proptest::prop_assert!(typed.at < limit, "{:?} was given too late", typed);
            let highest = self.acknowledged.entry(ack.question_id).or_insert(version);
            *highest = version.max(*highest);
        }
        for refused in &response.refused {
            let typed = &self.typed[&(refused.question_id, (epoch, refused.sequence))];
            match refused.code() {
                RefusalCode::Older => {
                    let stored = self.stored.get(&refused.question_id);
                    let message_has = message.request.answers.iter();
                    let highest = message_has
                        .filter(|row| row.question_id == refused.question_id)
                        .map(|row| (epoch, row.sequence))
                        .chain(stored.copied())
                        .max();
                    proptest::prop_assert!(
                        highest > Some((epoch, refused.sequence)),
                        "{:?} is not older",
                        typed
                    );
                }
                RefusalCode::Late => {
                    proptest::prop_assert!(
                        self.now() >= self.deadline,
                        "{:?} is refused as late before the deadline",
                        typed
                    );
                    let is_fresh = message.sent_at == self.now();
                    let is_clock_same = typed.error == self.devices[message.device].browser.error;
                    let is_in_time = typed.at < self.deadline;
                    proptest::prop_assert!(
                        !(is_fresh && is_clock_same && is_in_time),
                        "{:?} was given and arrived in time",
                        typed
                    );
                }
                other => return Err(failed(other)),
            }
        }
        if !is_answer_lost {
            let done: Vec<_> = response
                .acks
                .iter()
                .map(|ack| (ack.question_id, ack.sequence))
                .chain(response.refused.iter().map(|refused| (refused.question_id, refused.sequence)))
                .collect();
            self.devices[message.device].outbox.retain(|typed| {
                typed.epoch != epoch || !done.contains(&(typed.row.question_id, typed.row.sequence))
            });
        }
        Ok(())
    }

    async fn take_over(&mut self, device: usize) -> Result<(), TestCaseError> {
        let state = self.state();
        let outcome = self.candidate.take_over(&self.id, &self.devices[device].browser).await;
        if state == SittingState::Sealed {
            let refused = outcome.err().ok_or_else(|| failed("a sealed sitting was taken over"))?;
            proptest::prop_assert_eq!(&*refused.reason, "HANDED_IN");
            return self.expect_refused(&refused);
        }
        if device != self.active {
            (self.active, self.epoch) = (device, self.epoch + 1);
        }
        let sitting = outcome.map_err(failed)?;
        proptest::prop_assert_eq!((sitting.epoch, sitting.is_active_device), (self.epoch, true));
        self.devices[device].epoch = self.epoch;
        Ok(())
    }

    async fn hand_in(&mut self, device: usize) -> Result<(), TestCaseError> {
        let (state, epoch) = (self.state(), self.devices[device].epoch);
        let outcome = self.candidate.hand_in(&self.id, &self.devices[device].browser, epoch).await;
        if state == SittingState::Sealed || (device == self.active && epoch == self.epoch) {
            let transcript = outcome.map_err(failed)?;
            proptest::prop_assert!(at(transcript.handed_in_at) <= self.deadline);
        } else {
            proptest::prop_assert_eq!(
                outcome.err().map(|refused| refused.reason),
                Some("OTHER_DEVICE".into())
            );
        }
        Ok(())
    }

    fn expect_refused(&self, refused: &ServiceError) -> Result<(), TestCaseError> {
        proptest::prop_assert_eq!(refused.code, Code::Conflict);
        proptest::prop_assert_eq!(&refused.facts["sitting_id"], &self.id);
        Ok(())
    }

    /// Checks the invariants after a step.
    async fn check(&mut self) -> Result<(), TestCaseError> {
        let state = self.state();
        let found = self.candidate.find(&self.id, &self.devices[1].browser).await.map_err(failed)?;
        proptest::prop_assert_eq!(at(found.deadline_at), self.deadline, "the deadline never moves");
        proptest::prop_assert_eq!(found.epoch, self.epoch);
        // A hand-in seals before the deadline.
        if found.state() != SittingState::Sealed || state == SittingState::Sealed {
            proptest::prop_assert_eq!(found.state(), state);
        }
        self.check_answers(&found)?;
        let document = self.candidate.hall.document(&self.id).await;
        proptest::prop_assert_eq!(document.is_some(), found.state() == SittingState::Sealed);
        if let Some(known) = &self.document {
            proptest::prop_assert_eq!(document.as_ref(), Some(known), "sealed bytes never change");
        }
        self.document = document;
        if let Some(transcript) = found.transcript {
            for row in transcript.answers {
                let answer = found.answers.iter().find(|saved| saved.question_id == row.question_id);
                proptest::prop_assert_eq!(row.answer, answer.and_then(|saved| saved.answer.clone()));
            }
        }
        Ok(())
    }

    fn check_answers(&mut self, found: &Sitting) -> Result<(), TestCaseError> {
        let mut stored = BTreeMap::new();
        for saved in &found.answers {
            let version = (saved.epoch, saved.sequence);
            let typed = self.typed.get(&(saved.question_id, version));
            let typed = typed.ok_or_else(|| failed("an answer that was not typed"))?;
            let content: (&Option<Answer>, bool) = (&typed.row.answer, typed.row.is_flagged);
            proptest::prop_assert_eq!((&saved.answer, saved.is_flagged), content, "the content as typed");
            proptest::prop_assert!(
                typed.at < self.deadline + SECOND,
                "{:?} counts although it is late",
                typed
            );
            stored.insert(saved.question_id, version);
        }
        for (question, version) in self.acknowledged.iter().chain(&self.stored) {
            let kept = stored.get(question);
            proptest::prop_assert!(kept >= Some(version), "{} {:?} is lost: {:?}", question, version, kept);
        }
        if self.now() < self.deadline {
            proptest::prop_assert_eq!(&stored, &self.stored, "exactly the highest versions");
        }
        self.stored = stored;
        Ok(())
    }
}

#[test]
fn random_sequences_keep_the_invariants() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.unwrap();
    let hall = runtime.block_on(Hall::open());
    let errors = prop_oneof![Just(0_i64), Just(3), Just(-3)];
    let cases = (errors.clone(), errors, steps());
    let mut config = Config { failure_persistence: None, ..Config::default() };
    #[expect(clippy::disallowed_methods, reason = "a test has no config.rs")]
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    // The sequences are the same in every run. More cases extend them.
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let outcome = TestRunner::new_with_rng(config, random).run(&cases, |(one, other, steps)| {
        runtime.block_on(async {
            let mut case = Case::start(&hall, [one, other]).await?;
            for step in &steps {
                case.step(step).await?;
            }
            // At the end every browser is closed.
            hall.clock.advance(Duration::HOUR);
            hall.seal().await;
            case.check().await
        })
    });
    outcome.unwrap();
    runtime.block_on(async { drop(hall) });
}
