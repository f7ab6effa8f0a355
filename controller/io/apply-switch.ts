import { failureText } from '../../common/errors';
import type { Refusal, SwitchOutcome } from '../plan/apply-report';
import { identityOf } from '../entities/identity';
import { changesOf } from '../plan/diff';
import type { Change } from '../plan/diff';
import type { SwitchPlan } from '../plan/switch-plan';
import type { PortChange } from '../intent/ports';
import type { QueueSetting } from '../intent/queues';
import type { P4RuntimeClient } from '../p4runtime/client';
import { SwitchError } from '../p4runtime/session/errors';
import { BATCH_SIZE } from '../p4runtime/requests/write';
import { planSwitch } from './plan-network';
import type { PreparedSwitch } from './prepare';
import { setQueues } from './queue-records';
import type { QueueRecords } from './queue-records';
import { setPorts } from './switch-ports';

/**
 * Rounds of reading and writing: one may only replace the program, one repairs what a full table
 * refused before, and two, with a tenth of the updates per request each, have all named that was refused.
 */
const ROUNDS_MAX = 6;

/**
 * Updates per request until one is refused. A call costs as much as hundreds of updates. The embedded switch answers a
 * refused request of any length. bmv2 answers with a status for each update; beyond the 64 KB of headers that Node
 * takes, the answer is lost, and with it the session: with 200 updates each reason may have 150 characters.
 */
export const REQUEST_SIZES: Readonly<Record<PreparedSwitch['spec']['document']['target'], number>> =
  {
    embedded: 1000,
    bmv2: 200,
    stratum: BATCH_SIZE,
  };

export interface ApplyContext {
  readonly records: QueueRecords;
  readonly deadline: number;
  /** Folder at which relative names of certificate files begin. */
  readonly folder: string;
  /** Called for every batch that the switch has answered. */
  readonly onWritten?: (updates: number) => void;
}

/** Changes made at a switch so far; they outlive the error that ends the work. */
export class SwitchProgress {
  readonly done: Change[] = [];
  readonly queuesSet: QueueSetting[] = [];
  readonly portsSet: PortChange[] = [];
  refused: Refusal[] = [];
  /** Changes that the switch may have made: a refused request did not say. The next reading tells. */
  untold: Change[] = [];
  programLoaded = false;

  /** Notes what a reading found to be done of what was untold. */
  settle(plan: SwitchPlan): void {
    const missing = new Set(changesOf(plan.stages).map(({ entity }) => identityOf(entity)));
    this.done.push(...this.untold.filter(({ entity }) => !missing.has(identityOf(entity))));
    this.untold = [];
  }

  get touched(): boolean {
    const { done, queuesSet, portsSet } = this;
    return this.programLoaded || [done, queuesSet, portsSet].some(({ length }) => length > 0);
  }
}

/**
 * Brings a switch to what it shall hold with the fewest updates. What is refused is tried again
 * after another reading, because an update may wait for room that a later one makes.
 * @param client the primary controller of the switch.
 * @param progress collects what is done, for a report when this throws.
 * @returns whether the switch holds everything; refused updates are in the progress.
 * @throws SwitchError when a call fails, InputError when Thrift does.
 */
export async function applySwitch(
  client: P4RuntimeClient,
  prepared: PreparedSwitch,
  context: ApplyContext,
  progress: SwitchProgress,
): Promise<boolean> {
  let requestSize = REQUEST_SIZES[prepared.spec.document.target];
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const plan = await planSwitch(client, prepared);
    progress.settle(plan);
    const before = progress.done.length;
    // What is missing still is in the plan.
    progress.refused = [];
    if (plan.load === undefined && plan.stages.length === 0) break;
    if (plan.load?.reason === 'the switch runs another program') {
      progress.programLoaded = await replaceProgram(client, prepared);
      // Entities that have stayed are a matter of the next round.
      if (progress.programLoaded) continue;
    }
    await carryOut(client, prepared, plan, { context, progress, requestSize });
    const isNamed = progress.untold.length === 0;
    if (progress.refused.length === 0 || (isNamed && progress.done.length === before)) break;
    if (!isNamed) requestSize = Math.ceil(requestSize / 10);
  }
  if (progress.programLoaded) context.records.forget(prepared.spec.node.name);
  progress.portsSet.push(...(await setPorts(prepared, context)));
  progress.queuesSet.push(...(await setQueues(prepared, context.records, context.deadline)));
  return progress.refused.length === 0;
}

/** Summarises the work at a switch. */
export function outcomeOf(
  name: string,
  progress: SwitchProgress,
  end: { readonly complete: boolean; readonly error?: unknown; readonly missing?: SwitchPlan },
): SwitchOutcome {
  const { done, refused, queuesSet, portsSet, programLoaded } = progress;
  const unfinished = progress.touched || refused.length > 0 ? 'incomplete' : 'untouched';
  return {
    switch: name,
    status: end.complete ? 'done' : unfinished,
    programLoaded,
    done,
    refused,
    queuesSet,
    portsSet,
    ...(end.error !== undefined && { error: failureText(end.error) }),
    ...(end.missing !== undefined && { missing: end.missing }),
  };
}

/**
 * Lets the switch keep what fits the program, so that packets miss no entries meanwhile. bmv2 is not
 * asked: what does not fit leaves it in the middle of a change, and it then refuses any other program.
 * @returns false when it cannot; then it runs the old program.
 * @throws SwitchError when it cannot be asked.
 */
async function replaceProgram(
  client: P4RuntimeClient,
  { spec, program }: PreparedSwitch,
): Promise<boolean> {
  if (spec.document.target === 'bmv2') return false;
  try {
    await client.reconcilePipeline(program.pipeline);
    return true;
  } catch (error) {
    if (!(error instanceof SwitchError) || !CANNOT_KEEP.has(error.codeName)) throw error;
    return false;
  }
}

/** Codes with which switches refuse to keep state: they cannot at all, or not for this program. */
const CANNOT_KEEP: ReadonlySet<string> = new Set([
  'UNIMPLEMENTED',
  'INVALID_ARGUMENT',
  'FAILED_PRECONDITION',
  'INTERNAL',
  'UNKNOWN',
]);

interface Writing {
  readonly context: ApplyContext;
  readonly progress: SwitchProgress;
  readonly requestSize: number;
}

async function carryOut(
  client: P4RuntimeClient,
  { program }: PreparedSwitch,
  { load, stages }: SwitchPlan,
  { context, progress, requestSize }: Writing,
): Promise<void> {
  if (load !== undefined) {
    await client.pushPipeline(program.pipeline);
    progress.programLoaded = true;
    // Everything that was there before has gone.
    progress.done.length = 0;
  }
  // A request ends before the next begins, because a switch may reorder updates within one.
  for (const stage of stages) {
    for (let first = 0; first < stage.length; first += requestSize) {
      const batch = stage.slice(first, first + requestSize);
      await writeBatch(client, batch, progress);
      context.onWritten?.(batch.length);
    }
  }
}

async function writeBatch(
  client: P4RuntimeClient,
  batch: readonly Change[],
  progress: SwitchProgress,
): Promise<void> {
  const updates = batch.map(({ type, entity }) => ({ type, entity }));
  const { outcomes } = await client.write(updates, { batchSize: batch.length });
  batch.forEach((change, i) => {
    const outcome = outcomes[i];
    if (outcome?.kind !== 'failed') {
      progress.done.push(change);
      return;
    }
    const { update, codeName, reason, isUntold } = outcome;
    progress.refused.push({ update, codeName, reason });
    if (isUntold === true) progress.untold.push(change);
  });
}
