import { assert } from '../../common/assert';
import { P4RuntimeClient } from '../../controller/p4runtime/client';
import { findBmv2 } from '../live/bmv2-binary';
import { exactEntry, exactProgram } from '../live/exact-program';
import { withForwarding } from '../live/forwarding';
import { embeddedSwitch } from '../live/switch-process';
import { LOAD, underLoad } from '../live/under-load';
import type { Pipeline } from '../../controller/p4runtime/requests/pipeline';
import type { TestBed } from '../live/forwarding';

/** Both switches go before their controller, tcpdump and this program, as switches in software usually do. */
const NICE = ['nice', '-n', '-10'] as const;
const DEADLINE_MS = 600_000;
const BATCH_SIZE = 1000;
const REQUESTS_MAX = 2;

export interface ControlAmounts {
  /** Entries that are there when they are read, in exact tables. */
  readonly entries: number;
  /** Updates of one Write call after the other. */
  readonly updates: number;
}

/**
 * 20,000 packets/s through a switch while a controller reads all entries of an exact table, writes
 * updates, and replaces the program by one with equal tables; embedded switch and bmv2 one after the
 * other, both with a niceness of -10. Gaps are those of the kernel's clock at the receiver.
 * @param bmv2Name a path, or a name that is looked for on PATH.
 * @throws InputError without root rights, p4c or tcpdump.
 */
export async function benchSwitchUnderControl(
  amounts: ControlAmounts,
  bmv2Name: string,
): Promise<object> {
  const size = amounts.entries + amounts.updates;
  const programs = [await exactProgram(size, 1), await exactProgram(size, 2)] as const;
  const embedded = await measure(embeddedSwitch(), programs, amounts);
  const binary = findBmv2(bmv2Name);
  const figures = { ...amounts, packetsPerSecond: LOAD.rate, embedded };
  if (binary === undefined) return { ...figures, bmv2: `there is no ${bmv2Name}` };
  const bmv2 = { ...binary, ...(await measure([binary.path], programs, amounts)) };
  return { ...figures, bmv2 };
}

async function measure(
  command: readonly string[],
  [first, second]: readonly [Pipeline, Pipeline],
  { entries, updates }: ControlAmounts,
): Promise<object> {
  let connected: P4RuntimeClient | undefined;
  const configure = async (address: string): Promise<void> => {
    connected = await connect(address, first);
  };
  const work = async (bed: TestBed): Promise<object> => {
    const client = connected;
    assert(client !== undefined, 'the switch is configured before it is used');
    const before = bed.device.residentBytes();
    const insert = await underLoad(bed, () => insertEntries(client, 1, entries));
    const memory = (bed.device.residentBytes() - before) / entries;
    const read = await underLoad(bed, () => readEntries(client, entries));
    const write = await underLoad(bed, () => insertEntries(client, entries, entries + updates));
    const reload = await underLoad(bed, () => client.reconcilePipeline(second));
    const kept = await countEntries(client);
    return { residentBytesPerEntry: Math.round(memory), insert, read, write, reload, kept };
  };
  try {
    return await withForwarding([...NICE, ...command], work, configure);
  } finally {
    connected?.close();
  }
}

async function connect(address: string, program: Pipeline): Promise<P4RuntimeClient> {
  const client = await P4RuntimeClient.connect({
    name: 's1',
    address,
    deviceId: 1n,
    electionId: 1n,
    deadline: DEADLINE_MS,
  });
  await client.becomePrimary();
  await client.pushPipeline(program);
  await client.writeAll('insert', [exactEntry(0)]);
  return client;
}

async function insertEntries(client: P4RuntimeClient, first: number, end: number): Promise<void> {
  const CHUNK = 50 * BATCH_SIZE;
  for (let from = first; from < end; from += CHUNK) {
    const count = Math.min(CHUNK, end - from);
    const updates = Array.from({ length: count }, (_, i) => {
      return { type: 'insert', entity: exactEntry(from + i) } as const;
    });
    const options = { batchSize: BATCH_SIZE, requestsMax: REQUESTS_MAX };
    const { failures } = await client.write(updates, options);
    assert(failures.length === 0, 'every entry is accepted');
  }
}

async function readEntries(client: P4RuntimeClient, entries: number): Promise<void> {
  assert((await countEntries(client)) === entries, 'every entry is read');
}

async function countEntries(client: P4RuntimeClient): Promise<number> {
  const entries = client.read({ kind: 'table-entries' })[Symbol.asyncIterator]();
  let count = 0;
  while ((await entries.next()).done !== true) count += 1;
  return count;
}
