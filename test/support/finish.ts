import type { Work } from '../../switch/server/turns/turns';

/** Does work to its end at once. @throws what the work throws. */
export function finish<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
