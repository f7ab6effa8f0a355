import { InputError } from '../../common/errors';

/** Switches that are busy at once: enough to hide waiting, few enough to hold their state. */
const CONCURRENCY = 16;

/**
 * Does the same at every switch, several at a time.
 * @returns the results in the order of the switches.
 * @throws InputError with the failures of all switches, once all have ended.
 */
export async function forEachSwitch<Switch, Result>(
  switches: readonly Switch[],
  step: (each: Switch) => Promise<Result>,
): Promise<readonly Result[]> {
  const settled = await settleEach(switches, step);
  const reasons = settled.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  );
  if (reasons.length > 0) throw combined(reasons);
  return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** Runs a step as {@link forEachSwitch}, with failures as values. */
export async function settleEach<Switch, Result>(
  switches: readonly Switch[],
  step: (each: Switch) => Promise<Result>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = [];
  const queue = switches.entries();
  const worker = async (): Promise<void> => {
    // Workers share the iterator, so each takes what no other has taken.
    for (const [i, each] of queue) {
      const [settled] = await Promise.allSettled([step(each)]);
      results[i] = settled;
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, switches.length) }, worker));
  return results;
}

/** One error for several: a defect of the program comes first. */
export function combined(reasons: readonly unknown[]): unknown {
  const [only] = reasons;
  if (reasons.length === 1) return only;
  const defect = reasons.find((each) => !(each instanceof InputError));
  if (defect !== undefined) return defect;
  return new InputError(reasons.map((each) => (each as Error).message).join('\n'));
}
