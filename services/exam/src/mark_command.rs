//! `exam mark`: marking of written answers on the command line.

use kit::Failure;
use kit::clock::Clock;
use kit_db::Pool;

use crate::config::{Database, Mark, MarkerArgs, Rules};
use crate::written_marking::{MarkingProgress, MarkingTask, WrittenMarking};

/// Runs a command.
pub(crate) async fn run(command: Mark) -> Result<(), Failure> {
    match command {
        Mark::Next { marker: MarkerArgs { marker, database }, rules } => {
            let (pool, marking) = open(&database, rules).await?;
            let task = marking.next(&marker).await?;
            print(&task.map_or_else(|| "No answer to mark.".to_owned(), |task| format_task(&task, &marker)));
            pool.close().await;
        }
        Mark::Give { task, points, comment, marker: MarkerArgs { marker, database }, rules } => {
            let (pool, marking) = open(&database, rules).await?;
            marking.give(&marker, task, points, &comment).await?;
            print(&format!("Task {task} has {points} points."));
            pool.close().await;
        }
        Mark::Release { marker: MarkerArgs { marker, database }, rules } => {
            let (pool, marking) = open(&database, rules).await?;
            let had_task = marking.release(&marker).await?;
            print(if had_task { "The task is free for another marker." } else { "There was no open task." });
            pool.close().await;
        }
        Mark::Status { database, rules } => {
            let (pool, marking) = open(&database, rules).await?;
            let progress = marking.progress().await?;
            print(&progress.iter().map(format_progress).collect::<Vec<_>>().join("\n"));
            pool.close().await;
        }
    }
    Ok(())
}

async fn open(database: &Database, rules: Rules) -> Result<(Pool, WrittenMarking), Failure> {
    let pool = Pool::connect(&database.into()).await?;
    Ok((pool.clone(), WrittenMarking::new(pool, Clock::system(), rules)))
}

fn format_task(task: &MarkingTask, marker: &str) -> String {
    let MarkingTask { id, prompt, model_answer, guide, full_points, answer } = task;
    let (prompt, guide) = (prompt.trim_end(), guide.trim_end());
    format!(
        "Question ({full_points} points)\n\n{prompt}\n\nModel answer\n\n{model_answer}\n\nMarking guide\n\n{guide}\n\n\
         Answer\n\n{answer}\n\nexam mark give --marker {marker} --task {id} --points 0…{full_points} --comment '…'"
    )
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
