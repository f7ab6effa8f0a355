import { InputError } from '../../common/errors';
import type { NetworkText } from '../document/schema';
import { reportText } from '../plan/apply-report';
import type { SwitchOutcome } from '../plan/apply-report';
import type { SwitchPlan } from '../plan/switch-plan';
import type { P4RuntimeClient } from '../p4runtime/client';
import { SwitchError } from '../p4runtime/session/errors';
import { applySwitch, outcomeOf, SwitchProgress } from './apply-switch';
import { connectAsPrimary, connectTo } from './connect';
import type { ConnectOptions } from './connect';
import { combined, settleEach } from './for-each-switch';
import { planSwitch } from './plan-network';
import type { PreparedSwitch } from './prepare';
import { pendingQueues, QueueRecords } from './queue-records';
import { prepareDocument } from './network-file';
import { programMissing } from './read-state';
import { pendingPorts } from './switch-ports';

export interface ApplyNetworkOptions extends ConnectOptions {
  readonly records: QueueRecords;
  /** Number of times that the work at a switch is taken up again after its connection broke. */
  readonly retries: number;
  /** Called for every batch that a switch has answered. */
  readonly onWritten?: (updates: number) => void;
}

/** An apply that has left switches without something; the outcomes say which, and what. */
export class ApplyFailedError extends InputError {
  override readonly name = 'ApplyFailedError';
  constructor(readonly outcomes: readonly SwitchOutcome[]) {
    super(`not everything could be applied:\n${reportText(outcomes)}`);
  }
}

/**
 * Brings every switch to what it shall hold. All of them are reached, taken over, asked about the
 * program and about their queues before the first one changes.
 * @returns what was done at each.
 * @throws InputError when nothing was changed, ApplyFailedError when some of it was not.
 */
export async function applyNetwork(
  switches: readonly PreparedSwitch[],
  options: ApplyNetworkOptions,
): Promise<readonly SwitchOutcome[]> {
  const clients = await readyClients(switches, options);
  try {
    const pairs = switches.map((prepared, i) => ({ prepared, client: clients[i] }));
    const settled = await settleEach(pairs, ({ prepared, client }) =>
      applyWithRetries(prepared, client, options),
    );
    const outcomes = settled.flatMap((each) => {
      if (each.status === 'rejected') throw each.reason;
      return [each.value];
    });
    if (outcomes.some(({ status }) => status !== 'done')) throw new ApplyFailedError(outcomes);
    return outcomes;
  } finally {
    for (const client of clients) client.close();
  }
}

/** State of a network after a controller has applied a document. */
export interface AppliedNetwork {
  readonly switches: readonly PreparedSwitch[];
  /** Outcomes in the order of the switches. */
  readonly outcomes: readonly SwitchOutcome[];
}

/**
 * Brings the switches of a document that a program has made to what it says, in one attempt.
 * @param deadline how long to wait for each connection and call, in ms.
 * @throws InputError as {@link applyNetwork} does, and for a document that has a fault.
 */
export async function applyDocument(
  document: NetworkText,
  deadline: number,
): Promise<AppliedNetwork> {
  const { switches, folder } = await prepareDocument(document);
  const records = QueueRecords.inMemory();
  const options = { electionId: 1n, deadline, folder, records, retries: 0 };
  return { switches, outcomes: await applyNetwork(switches, options) };
}

/** Connected primaries of all switches, which could take the program and the settings. */
async function readyClients(
  switches: readonly PreparedSwitch[],
  options: ApplyNetworkOptions,
): Promise<readonly P4RuntimeClient[]> {
  const settled = await settleEach(switches, (each) => readyClient(each, options));
  const clients = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (clients.length === switches.length) return clients;
  for (const client of clients) client.close();
  throw combined(
    settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : [])),
  );
}

async function readyClient(
  prepared: PreparedSwitch,
  options: ApplyNetworkOptions,
): Promise<P4RuntimeClient> {
  const client = await connectAsPrimary(prepared.spec, options);
  try {
    if ((await programMissing(client, prepared.program)) !== undefined) {
      await client.verifyPipeline(prepared.program.pipeline);
    }
    await pendingQueues(prepared, options.records, options.deadline);
    await pendingPorts(prepared, options);
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

async function applyWithRetries(
  prepared: PreparedSwitch,
  first: P4RuntimeClient | undefined,
  options: ApplyNetworkOptions,
): Promise<SwitchOutcome> {
  const { name } = prepared.spec.node;
  const progress = new SwitchProgress();
  let client = first;
  let failure: unknown;
  for (let attempt = 0; attempt <= options.retries; attempt++) {
    try {
      client ??= await connectAsPrimary(prepared.spec, options);
      const complete = await applySwitch(client, prepared, options, progress);
      const missing = complete ? undefined : await planSwitch(client, prepared);
      client.close();
      return outcomeOf(name, progress, { complete, ...(missing && { missing }) });
    } catch (error) {
      failure = error;
      // A switch takes no second stream with the same election id.
      client?.close();
      client = undefined;
      if (!isPassing(error)) break;
    }
  }
  const missing = await missingAt(prepared, options);
  return outcomeOf(name, progress, {
    complete: false,
    error: failure,
    ...(missing && { missing }),
  });
}

/** True if a failure is one of the connection, which another may not have. */
function isPassing(error: unknown): boolean {
  const passing = ['UNAVAILABLE', 'DEADLINE_EXCEEDED', 'CANCELLED', 'ABORTED', 'INTERNAL'];
  return error instanceof SwitchError && passing.includes(error.codeName);
}

/**
 * Finds the changes that a switch still needs after a failure; undefined when it cannot be asked any more.
 */
async function missingAt(
  prepared: PreparedSwitch,
  options: ApplyNetworkOptions,
): Promise<SwitchPlan | undefined> {
  try {
    const client = await connectTo(prepared.spec, options);
    try {
      const queues = await pendingQueues(prepared, options.records, options.deadline);
      const ports = await pendingPorts(prepared, options);
      return { ...(await planSwitch(client, prepared)), queues, ports };
    } finally {
      client.close();
    }
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
