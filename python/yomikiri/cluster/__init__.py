"""Long runs on a Ray cluster: `match`, `rate`, `tune`, `lab run`, `solve` on sets, `learn positions`, `eval` and `network`.

`yomikiri COMMAND .. --plan plan.json` writes what is to be done, and

    python -m yomikiri.cluster plan.json --out results [--address ray://head:10001]

does it: one owner here has the log and the folder, workers on the cluster do units by their keys. The results are those of one
machine, byte for byte. Units of dead workers and of stragglers are given to others; a run whose driver was killed goes on with the
same command. `pip install 'yomikiri[ray]'` brings Ray.
"""

from .driver import ClusterError, Done, Pool, Progress, Task, drive
from .main import main, run

__all__ = ["ClusterError", "Done", "Pool", "Progress", "Task", "drive", "main", "run"]
