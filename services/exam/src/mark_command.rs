//! `exam mark`: marking of written answers on the command line.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use kit::Failure;
use kit::clock::Clock;
use kit_db::Pool;

use crate::config::{Database, Mark, MarkerArgs};
use crate::written_marking::{MarkingProgress, MarkingTask, TaskAnswer, TaskFigure, WrittenMarking};

/// Runs a command.
pub(crate) async fn run(command: Mark) -> Result<(), Failure> {
    match command {
        Mark::Next { picture, marker: MarkerArgs { marker, database }, rules } => {
            let (pool, marking) = open(&database).await?;
            let task = marking.next(&marker, rules).await?;
            pool.close().await;
            let Some(task) = task else {
                print("No answer to mark.");
                return Ok(());
            };
            let text = format_task(&task, &marker);
            match (&task.answer, picture.as_deref()) {
                (TaskAnswer::Picture(jpeg), Some(file)) if file == Path::new("-") => {
                    print_error(&text);
                    io::stdout().write_all(jpeg)?;
                }
                (TaskAnswer::Picture(jpeg), Some(file)) => {
                    let written = fs::write(file, jpeg);
                    written.map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
                    print(&text);
                }
                _ => print(&text),
            }
        }
        Mark::Give { task, points, comment, marker: MarkerArgs { marker, database } } => {
            let (pool, marking) = open(&database).await?;
            marking.give(&marker, task, points, &comment).await?;
            print(&format!("Task {task} has {points} points."));
            pool.close().await;
        }
        Mark::Release { marker: MarkerArgs { marker, database } } => {
            let (pool, marking) = open(&database).await?;
            let had_task = marking.release(&marker).await?;
            print(if had_task { "The task is free for another marker." } else { "There was no open task." });
            pool.close().await;
        }
        Mark::Status(database) => {
            let (pool, marking) = open(&database).await?;
            let progress = marking.progress().await?;
            print(&format_all_progress(&progress));
            pool.close().await;
        }
    }
    Ok(())
}

async fn open(database: &Database) -> Result<(Pool, WrittenMarking), Failure> {
    let pool = Pool::connect(&database.into()).await?;
    Ok((pool.clone(), WrittenMarking::new(pool, Clock::system())))
}

fn format_task(task: &MarkingTask, marker: &str) -> String {
    let MarkingTask { id, prompt, figures, model_answer, guide, full_points, answer } = task;
    let (prompt, guide) = (prompt.trim_end(), guide.trim_end());
    let figures: String = figures.iter().map(format_figure).collect();
    let answer = match answer {
        TaskAnswer::Text(text) => text.clone(),
        TaskAnswer::Picture(_) => {
            format!("A picture: `exam mark next --marker {marker} --picture FILE` writes it to a file.")
        }
    };
    format!(
        "Question ({full_points} points)\n\n{prompt}\n\n{figures}Model answer\n\n{model_answer}\n\nMarking guide\n\n{guide}\n\n\
         Answer\n\n{answer}\n\nexam mark give --marker {marker} --task {id} --points 0…{full_points} --comment '…'"
    )
}

fn format_figure(TaskFigure { path, alt }: &TaskFigure) -> String {
    format!("Figure: {alt}\n{path} on the site\n\n")
}

fn format_all_progress(progress: &[MarkingProgress]) -> String {
    if progress.is_empty() {
        return "There are no written answers.".to_owned();
    }
    progress.iter().map(format_progress).collect::<Vec<_>>().join("\n")
}

fn format_progress(progress: &MarkingProgress) -> String {
    let MarkingProgress { exam, answers, decided, disputed, open_tasks } = progress;
    format!(
        "exam {exam}: {decided} of {answers} written answers are decided, {disputed} wait for a third marker, \
         {open_tasks} tasks are with a marker"
    )
}

#[expect(clippy::print_stdout, reason = "the marker reads it")]
fn print(text: &str) {
    println!("{text}");
}

#[expect(clippy::print_stderr, reason = "the marker reads it; a picture is on standard output")]
fn print_error(text: &str) {
    eprintln!("{text}");
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::{format_all_progress, format_task};
    use crate::written_marking::{MarkingProgress, MarkingTask, TaskAnswer, TaskFigure};

    #[test]
    fn a_task_shows_the_figures_of_its_question_and_how_to_get_a_picture() {
        let task = MarkingTask {
            id: Uuid::nil(),
            prompt: "図を説明しなさい。\n".to_owned(),
            figures: vec![TaskFigure {
                path: "/api/exam/figure/ab/".to_owned(), alt: "折れ線".to_owned()
            }],
            model_answer: "増えている。".to_owned(),
            guide: "向きに2点".to_owned(),
            full_points: 6,
            answer: TaskAnswer::Text("ふえる".to_owned()),
        };
        let shown = format_task(&task, "mori");
        let wanted =
            "図を説明しなさい。\n\nFigure: 折れ線\n/api/exam/figure/ab/ on the site\n\nModel answer\n\n";
        assert!(shown.contains(wanted), "{shown}");
        let plain_task = MarkingTask { figures: Vec::new(), ..task };
        let plain = format_task(&plain_task, "mori");
        assert!(plain.contains("図を説明しなさい。\n\nModel answer"), "{plain}");
        let drawn =
            format_task(&MarkingTask { answer: TaskAnswer::Picture(Vec::new()), ..plain_task }, "mori");
        assert!(drawn.contains("exam mark next --marker mori --picture FILE"), "{drawn}");
    }

    #[test]
    fn the_status_is_a_sentence_without_answers_and_a_line_for_each_exam() {
        assert_eq!(format_all_progress(&[]), "There are no written answers.");
        let one = MarkingProgress { exam: 1, answers: 3, decided: 1, disputed: 0, open_tasks: 2 };
        let shown = format_all_progress(&[one.clone(), MarkingProgress { exam: 2, ..one }]);
        assert_eq!(shown.lines().count(), 2, "{shown}");
    }
}
