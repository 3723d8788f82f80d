//! Learners who answer questions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::Method;
use serde_json::{Value, json};
use sqlx::{Executor as _, Row as _};

use crate::learner::Learner;
use crate::product::Product;
use crate::watching::lessons;

/// How many there are, and how many answer at once: each has one graded try a question, and some are to be left for the
/// last round.
const STUDENTS: usize = 24;
pub(crate) const ANSWERING: usize = 3;

/// Answers the questions of one lesson after the other: each its graded try, then a round of practice.
pub(crate) struct Student {
    learner: Learner,
    /// Those with questions.
    lessons: Vec<i64>,
    begun: usize,
    /// What was acknowledged, by result and question.
    results: BTreeMap<i64, BTreeMap<i64, Value>>,
    graded: BTreeSet<i64>,
    /// The results that have changed since they were looked at.
    changed: BTreeSet<i64>,
}

impl Student {
    /// Until told to stop.
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
            let round = round.expect("there is a round");
            self.results.entry(round).or_default();
            self.fill_in(&questions["results"], Some(round), &stop).await;
        }
        self
    }

    /// In a round of practice, or as the graded try; what had that try is told once more.
    async fn fill_in(&mut self, questions: &Value, round: Option<i64>, stop: &AtomicBool) {
        for question in questions.as_array().expect("there are questions") {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let id = question["id"].as_i64().expect("it has an id");
            let given = match question["kind"].as_str() {
                Some("single" | "multiple") => json!({ "choices": [1] }),
                Some("number") => json!({ "number": "12" }),
                _ => json!({ "text": "わかりません" }),
            };
            let path = format!("/api/lms/question/{id}/answer/");
            let answer = json!({ "answer": given, "result": round });
            let outcome = self.learner.send_until_accepted(Method::POST, &path, Some(answer)).await.body;
            let result = outcome["result"]["id"].as_i64().expect("it counts for a result");
            let answers = self.results.entry(result).or_default();
            answers.insert(id, given);
            assert_eq!(outcome["result"]["answered"], answers.len(), "question {id}, each answer once");
            if round.is_none() {
                self.graded.insert(result);
            }
            self.changed.insert(result);
        }
    }

    /// What was answered since the last look.
    pub(crate) async fn check(&mut self, name: &str, round: usize) {
        for id in std::mem::take(&mut self.changed) {
            let result = self.learner.get_body(&format!("/api/lms/result/{id}/")).await;
            let answers = result["answers"].as_array().expect("there are answers");
            let answered = answers.iter().filter(|answer| !answer["given"].is_null()).map(|answer| {
                (answer["question"]["id"].as_i64().expect("it has an id"), answer["given"].clone())
            });
            let answered: BTreeMap<i64, Value> = answered.collect();
            assert_eq!(answered, self.results[&id], "{name} {round}: the answers of result {id}");
        }
    }

    /// How many answers there are of each result.
    pub(crate) async fn check_all(&self) {
        let listed = self.learner.get_pages("/api/lms/result/").await;
        let listed: BTreeMap<i64, usize> = listed
            .iter()
            .map(|result| {
                let number = |name: &str| result[name].as_i64().expect("it is a number");
                (number("id"), usize::try_from(number("answered_count")).expect("it is a count"))
            })
            .collect();
        let kept: BTreeMap<i64, usize> = self
            .results
            .iter()
            .map(|(id, answers)| (*id, answers.len()))
            .filter(|(_, count)| *count > 0)
            .collect();
        assert_eq!(listed, kept, "every result with an answer is there, once");
    }

    /// How many were acknowledged, of graded tries or of practice.
    pub(crate) fn answers(&self, is_graded: bool) -> usize {
        let results = self.results.iter().filter(|(id, _)| self.graded.contains(id) == is_graded);
        results.map(|(_, answers)| answers.len()).sum()
    }
}

/// Learners who have not answered anything.
pub(crate) async fn students(product: &Product, learner: &Learner) -> Vec<Student> {
    let list = product.state().join("students.csv");
    let count = STUDENTS.to_string();
    product.run_command(&["fill", "--learners", &count, "--csv", list.to_str().expect("the path is a text")]);
    let list = fs::read_to_string(&list).expect("there are learners");
    let mut lms = product.database("lms").await;
    let asked = lms.fetch_all("SELECT DISTINCT lesson_id FROM question").await.expect("there are questions");
    let asked: BTreeSet<i64> = asked.iter().map(|row| row.get(0)).collect();
    let mut students = Vec::new();
    for line in list.lines().skip(1) {
        let (email, password) = line.split_once(',').expect("it is an address and a password");
        let body = json!({ "email": email, "password": password });
        let answer = learner.send_until_accepted(Method::POST, "/api/accounts/login/", Some(body)).await;
        let learner = learner.clone().signed_in(&answer);
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
