//! How much memory there is to take.
//!
//! Linux promises more memory than it has: a request beyond it is granted, and the process is
//! killed when the pages are written. So [`room`] bounds the transposition table: what
//! `/proc/meminfo` calls available, or less where a control group (version 2, as containers have)
//! allows less, and of that seven eighths. Where the system has no such figure, or gives less than
//! the figure (a limit on address space), a table is halved until it fits. No page is written
//! before the size is settled.

use std::path::Path;

/// Bytes that one table may take; `None` where the system does not say.
pub fn room() -> Option<usize> {
    room_below(Path::new("/"))
}

/// What is found for the largest of `count`, a half of it, a quarter and so on down to one.
pub(crate) fn halve_until_some<T>(
    count: usize,
    mut find: impl FnMut(usize) -> Option<T>,
) -> Option<T> {
    core::iter::successors(Some(count), |count| Some(count / 2))
        .take_while(|&count| count > 0)
        .find_map(&mut find)
}

/// The same as [`room`] with the system's files under another root.
fn room_below(root: &Path) -> Option<usize> {
    let text = std::fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let kilobytes = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = kilobytes.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let machine = kilobytes.saturating_mul(1024);
    let bytes = room_of_groups(root).map_or(machine, |group| group.min(machine));
    usize::try_from(bytes / 8 * 7).ok()
}

/// The least that the process's control group and those above it leave.
fn room_of_groups(root: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(root.join("proc/self/cgroup")).ok()?;
    let name = text.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let mount = root.join("sys/fs/cgroup");
    let group = mount.join(name);
    group.ancestors().take_while(|path| path.starts_with(&mount)).filter_map(room_of_group).min()
}

/// What one control group leaves; files that were read and can be dropped again do not count.
fn room_of_group(folder: &Path) -> Option<u64> {
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    // Without a limit the word is `max`.
    let (most, used) = (number("memory.max")?, number("memory.current")?);
    let droppable = read("memory.stat").and_then(|text| {
        text.lines().find_map(|line| line.strip_prefix("inactive_file "))?.parse().ok()
    });
    Some(most.saturating_sub(used.saturating_sub(droppable.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Files as a system has them, in a folder that goes away again.
    struct Root(std::path::PathBuf);

    impl Root {
        fn new(name: &str, files: &[(&str, &str)]) -> Root {
            let id = std::process::id();
            let root = Root(std::env::temp_dir().join(format!("yomikiri-memory-{name}-{id}")));
            for (path, text) in files {
                let path = root.0.join(path);
                fs::create_dir_all(path.parent().expect("files are in folders")).unwrap();
                fs::write(path, text).unwrap();
            }
            root
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const MACHINE: (&str, &str) =
        ("proc/meminfo", "MemTotal:  99 kB\nMemAvailable:   8000 kB\nSwapTotal: 0 kB\n");

    #[test]
    fn the_room_is_what_is_available_less_an_eighth() {
        let root = Root::new("machine", &[MACHINE]);
        assert_eq!(room_below(&root.0), Some(7000 * 1024));
        assert_eq!(room_below(&root.0.join("proc")), None);
    }

    #[test]
    fn every_control_group_above_the_process_counts() {
        let root = Root::new(
            "groups",
            &[
                MACHINE,
                ("proc/self/cgroup", "0::/outer/inner\n"),
                ("sys/fs/cgroup/outer/memory.max", "1000000\n"),
                ("sys/fs/cgroup/outer/memory.current", "300000\n"),
                ("sys/fs/cgroup/outer/memory.stat", "anon 5\ninactive_file 100000\n"),
                ("sys/fs/cgroup/outer/inner/memory.max", "max\n"),
                ("sys/fs/cgroup/outer/inner/memory.current", "300000\n"),
            ],
        );
        assert_eq!(room_below(&root.0), Some(700_000));
    }

    #[test]
    fn a_request_is_halved_until_it_is_granted() {
        let mut asked = Vec::new();
        let granted = halve_until_some(1000, |count| {
            asked.push(count);
            (count <= 130).then_some(count)
        });
        assert_eq!((granted, asked), (Some(125), vec![1000, 500, 250, 125]));
        assert_eq!(halve_until_some(1000, |_| None::<()>), None);
    }
}
