"""Runs a plan in namespaces of its own."""

from ..errors import HpccnetError, Interrupted
from ..machine.interruption import interruptible, undisturbed
from ..machine.isolation import isolate
from ..machine.run_state import new_run_id
from .plan import load_plan
from .progress import Progress
from .record import RunRecord

EXIT_DONE = 0
EXIT_FAILED = 1
EXIT_INTERRUPTED = 130


def run_plan(path: str) -> int:
    """Run a plan and return the exit code.

    :raises HpccnetError: when the plan cannot be read, or namespaces cannot be made.
    """
    plan = load_plan(path)
    isolate(new_run_id(plan["run"]), plan["output"])
    # Imported only here, since the process that waits outside does not need it.
    from .planned_run import PlannedRun

    record = RunRecord(plan["run"], Progress())
    run = PlannedRun(plan, record)
    try:
        with interruptible():
            run.go()
    except Interrupted as interruption:
        record.interrupted = True
        record.progress.say("error", message=str(interruption))
    except HpccnetError as error:
        record.fail(str(error))
    finally:
        with undisturbed():
            run.end()
    return _exit_code(record)


def _exit_code(record: RunRecord) -> int:
    if record.interrupted:
        return EXIT_INTERRUPTED
    return EXIT_FAILED if record.errors else EXIT_DONE
