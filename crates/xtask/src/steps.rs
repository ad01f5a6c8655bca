//! A list of titled steps, run in order with the seconds each took, up to the first that fails.

use anyhow::{Context, Result, bail};
use std::time::Instant;

/// One thing to run.
pub struct TestStep {
    /// The word that selects the step on the command line.
    pub name: &'static str,
    pub title: &'static str,
    pub work: Box<dyn Fn() -> Result<()>>,
}

/// Runs the steps that are named, or all of them if none is.
pub fn run(steps: Vec<TestStep>, names: &[&str]) -> Result<()> {
    if let Some(unknown) = names.iter().find(|name| steps.iter().all(|step| step.name != **name)) {
        let known: Vec<&str> = steps.iter().map(|step| step.name).collect();
        bail!("there is no step '{unknown}', only {}", known.join(", "));
    }
    let start = Instant::now();
    let chosen = steps.iter().filter(|step| names.is_empty() || names.contains(&step.name));
    let mut times = Vec::new();
    for step in chosen {
        println!("== {}: {}", step.name, step.title);
        let start = Instant::now();
        (step.work)().with_context(|| format!("step '{}' failed", step.name))?;
        let seconds = start.elapsed().as_secs_f64();
        println!("== {}: passed in {seconds:.1} s\n", step.name);
        times.push((step.name, seconds));
    }
    for (name, seconds) in times {
        println!("{name:<12} {seconds:>8.1} s");
    }
    println!("{:<12} {:>8.1} s", "all passed", start.elapsed().as_secs_f64());
    Ok(())
}

/// The names and titles of steps, for the usage text.
pub fn list(heading: &str, steps: &[TestStep]) -> String {
    let lines = steps.iter().map(|step| format!("  {:<12} {}\n", step.name, step.title));
    format!("{heading}:\n{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// Three steps that note that they ran; the second fails.
    fn three(ran: &Rc<RefCell<Vec<&'static str>>>) -> Vec<TestStep> {
        ["first", "second", "third"]
            .map(|name| {
                let ran = Rc::clone(ran);
                let work = move || {
                    ran.borrow_mut().push(name);
                    if name == "second" { bail!("broken") } else { Ok(()) }
                };
                TestStep { name, title: "", work: Box::new(work) }
            })
            .into()
    }

    #[test]
    fn the_first_failure_ends_the_run() {
        let ran = Rc::default();
        let error = run(three(&ran), &[]).unwrap_err();
        assert_eq!(format!("{error:#}"), "step 'second' failed: broken");
        assert_eq!(*ran.borrow(), ["first", "second"]);
    }

    #[test]
    fn named_steps_run_alone_and_unknown_names_run_nothing() {
        let ran = Rc::default();
        run(three(&ran), &["third", "first"]).unwrap();
        assert_eq!(*ran.borrow(), ["first", "third"]);
        assert!(run(three(&ran), &["first", "fourth"]).is_err());
        assert_eq!(ran.borrow().len(), 2);
    }
}
