import type { RpcError } from '../../../common/p4runtime/codes';

/** A refused element: where it stands in its batch, from 0, and why. */
export interface Refusal {
  readonly index: number;
  readonly error: RpcError;
}

/** More outcomes than a trailer has room for; see status.ts. */
const FIRST_MAX = 160;
/** Refusals behind those that the message names. */
const LATER_MAX = 5;

/**
 * Outcomes of a batch in memory that does not grow with it: all outcomes of the first elements, and
 * for the others the number of refusals with the reasons of a few.
 */
export class Outcomes {
  readonly first: (RpcError | undefined)[] = [];
  readonly later: Refusal[] = [];
  refused = 0;
  total = 0;

  static of(outcomes: Iterable<RpcError | undefined>): Outcomes {
    const all = new Outcomes();
    for (const each of outcomes) all.add(each);
    return all;
  }

  /** Notes an element that has succeeded, or why it was refused. */
  add(error?: RpcError): void {
    const index = this.total++;
    if (error !== undefined) this.refused += 1;
    if (index < FIRST_MAX) this.first.push(error);
    else if (error !== undefined && this.later.length < LATER_MAX)
      this.later.push({ index, error });
  }

  /** @throws BatchError when an element was refused. */
  requireAll(what: 'write' | 'read'): void {
    if (this.refused > 0) throw new BatchError(what, this);
  }
}

/** A batch of which some elements were refused. */
export class BatchError extends Error {
  override readonly name = 'BatchError';
  constructor(
    readonly what: 'write' | 'read',
    readonly outcomes: Outcomes,
  ) {
    super(`${what}: ${outcomes.refused} of ${outcomes.total} refused`);
  }
}
