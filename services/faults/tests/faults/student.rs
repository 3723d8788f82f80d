//! Learners who answer questions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::Method;
use serde_json::{Value, json};
use sqlx::{Executor as _, Row as _};

use crate::learner::Learner;
use crate::product::Product;
use crate::watching::lessons;

/// The number of learners, and how many of them answer at once. A learner has one graded try for
/// each question, and some must be left for the last round.
const STUDENTS: usize = 24;
pub(crate) const ANSWERING: usize = 3;

/// A learner who answers the questions of one lesson after the other: the graded tries, then a
/// round of practice.
pub(crate) struct Student {
    learner: Learner,
    /// Lessons with questions.
    lessons: Vec<i64>,
    begun: usize,
    /// Acknowledged answers, by result and question.
    results: BTreeMap<i64, BTreeMap<i64, Value>>,
    graded: BTreeSet<i64>,
    /// Results that have changed since the last check.
    changed: BTreeSet<i64>,
}

impl Student {
    /// Answers questions until `stop`.
    pub(crate) async fn answer(mut self, stop: Arc<AtomicBool>) -> Self {
        while !stop.load(Ordering::Relaxed) {
            let lesson = self.lessons[self.begun % self.lessons.len()];
            self.begun += 1;
            let questions = self.learner.get_body(&format!("/api/lms/lesson/{lesson}/question/")).await;
            self.fill_in(&questions["results"], None, &stop).await;
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let path = format!("/api/lms/lesson/{lesson}/practice/");
            let round =
                self.learner.send_until_accepted(Method::POST, &path, Some(json!({}))).await.body["result"]
                    .as_i64();
            let round = round.expect("a round has an id");
            self.results.entry(round).or_default();
            self.fill_in(&questions["results"], Some(round), &stop).await;
        }
        self
    }

    /// Answers questions in a round of practice, or as graded tries. A repeated graded try gets the
    /// same outcome again.
    async fn fill_in(&mut self, questions: &Value, round: Option<i64>, stop: &AtomicBool) {
        for question in questions.as_array().expect("the answer has questions") {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let id = question["id"].as_i64().expect("a question has an id");
            let given = match question["kind"].as_str() {
                Some("single" | "multiple") => json!({ "choices": [1] }),
                Some("number") => json!({ "number": "12" }),
                _ => json!({ "text": "わかりません" }),
            };
            let path = format!("/api/lms/question/{id}/answer/");
            let answer = json!({ "answer": given, "result": round });
            let outcome = self.learner.send_until_accepted(Method::POST, &path, Some(answer)).await.body;
            let result = outcome["result"]["id"].as_i64().expect("an answer counts for a result");
            let answers = self.results.entry(result).or_default();
            answers.insert(id, given);
            assert_eq!(outcome["result"]["answered"], answers.len(), "question {id}, each answer once");
            if round.is_none() {
                self.graded.insert(result);
            }
            self.changed.insert(result);
        }
    }

    /// Checks the results that have changed since the last check.
    pub(crate) async fn check(&mut self, name: &str, round: usize) {
        for id in std::mem::take(&mut self.changed) {
            let result = self.learner.get_body(&format!("/api/lms/result/{id}/")).await;
            let answers = result["answers"].as_array().expect("a result has answers");
            let answered = answers.iter().filter(|answer| !answer["given"].is_null()).map(|answer| {
                (answer["question"]["id"].as_i64().expect("a question has an id"), answer["given"].clone())
            });
            let answered: BTreeMap<i64, Value> = answered.collect();
            assert_eq!(answered, self.results[&id], "{name} {round}: the answers of result {id}");
        }
    }

    /// Checks the number of answers of each result.
    pub(crate) async fn check_all(&self) {
        let listed = self.learner.get_pages("/api/lms/result/").await;
        let listed: BTreeMap<i64, usize> = listed
            .iter()
            .map(|result| {
                let number = |name: &str| result[name].as_i64().expect("the field is a number");
                (number("id"), usize::try_from(number("answered_count")).expect("a count is not negative"))
            })
            .collect();
        let kept: BTreeMap<i64, usize> = self
            .results
            .iter()
            .map(|(id, answers)| (*id, answers.len()))
            .filter(|(_, count)| *count > 0)
            .collect();
        assert_eq!(listed, kept, "every result with an answer is listed once");
    }

    /// Returns the number of acknowledged answers, of graded tries or of practice.
    pub(crate) fn answers(&self, is_graded: bool) -> usize {
        let results = self.results.iter().filter(|(id, _)| self.graded.contains(id) == is_graded);
        results.map(|(_, answers)| answers.len()).sum()
    }
}

/// Creates learners who have not answered any question.
pub(crate) async fn students(product: &Product, learner: &Learner) -> Vec<Student> {
    let mut lms = product.database("lms").await;
    let asked =
        lms.fetch_all("SELECT DISTINCT lesson_id FROM question").await.expect("the lessons can be read");
    let asked: BTreeSet<i64> = asked.iter().map(|row| row.get(0)).collect();
    let mut students = Vec::new();
    for (email, password) in product.add_learners(STUDENTS) {
        let learner = learner.sign_in_as(&email, &password).await;
        let lessons = lessons(&learner).await.into_iter().map(|(lesson, _)| lesson);
        let lessons = lessons.filter(|lesson| asked.contains(lesson)).collect();
        students.push(Student {
            learner,
            lessons,
            begun: 0,
            results: BTreeMap::new(),
            graded: BTreeSet::new(),
            changed: BTreeSet::new(),
        });
    }
    students
}
