import * as fs from 'node:fs/promises';
import { z } from 'zod';
import { InputError } from '../../common/errors';
import type { QueueSetting } from '../intent/queues';
import type { PreparedSwitch } from './prepare';
import type { ThriftSwitch } from './thrift-switch';

/** Two readings of the same moment may differ by so much. */
const SAME_START_US = 1_000_000;

const recordSchema = z.strictObject({
  /** Start of the switch, in microseconds since the epoch. */
  startedAt: z.number(),
  settings: z.array(
    z.strictObject({
      port: z.number(),
      priority: z.number().optional(),
      packetsPerSecond: z.number().optional(),
      depthPackets: z.number().optional(),
    }),
  ),
});

type QueueRecord = z.infer<typeof recordSchema>;

const fileSchema = z.record(z.string(), recordSchema);

/**
 * Queue settings that each switch was given last. No protocol reads them back, so they are kept here
 * together with the moment when the switch started: as long as that is the same, they hold.
 */
export class QueueRecords {
  private constructor(
    private readonly file: string | undefined,
    private readonly records: Map<string, QueueRecord>,
  ) {}

  /** Records that live as long as the process. */
  static inMemory(): QueueRecords {
    return new QueueRecords(undefined, new Map());
  }

  /** @throws InputError when the file is there but is none. */
  static async load(file: string): Promise<QueueRecords> {
    let text: string;
    try {
      text = await fs.readFile(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return new QueueRecords(file, new Map());
      }
      throw new InputError(`cannot read ${file}: ${String(error)}`);
    }
    const parsed = fileSchema.safeParse(parsedJson(text));
    if (!parsed.success) throw new InputError(`${file}: this is no record of queue settings`);
    return new QueueRecords(file, new Map(Object.entries(parsed.data)));
  }

  /** Lists the queue settings that a switch has not been given yet. */
  pending(
    name: string,
    startedAt: number,
    wanted: readonly QueueSetting[],
  ): readonly QueueSetting[] {
    const record = this.records.get(name);
    if (record === undefined || Math.abs(record.startedAt - startedAt) > SAME_START_US) {
      return wanted;
    }
    const known = new Set(record.settings.map(textOf));
    const missing = wanted.filter((each) => !known.has(textOf(each)));
    // A setting of a whole port overwrites those of its priorities, so a port is set as a whole.
    const ports = new Set(missing.map(({ port }) => port));
    return wanted.filter(({ port }) => ports.has(port));
  }

  /** The switch may have lost its settings. */
  forget(name: string): void {
    this.records.delete(name);
  }

  /** Notes what a switch has been told. */
  async note(name: string, startedAt: number, settings: readonly QueueSetting[]): Promise<void> {
    this.records.set(name, { startedAt, settings: settings.map((each) => ({ ...each })) });
    if (this.file === undefined) return;
    const text = JSON.stringify(Object.fromEntries(this.records), null, 2);
    await fs.writeFile(this.file, `${text}\n`);
  }
}

/** Settings that a switch has not got yet; none for a switch without Thrift. @throws InputError */
export async function pendingQueues(
  prepared: PreparedSwitch,
  records: QueueRecords,
  deadline: number,
): Promise<readonly QueueSetting[]> {
  if (prepared.queues.length === 0) return [];
  return withThrift(prepared, deadline, [], async (thrift) => {
    return records.pending(prepared.spec.node.name, await thrift.startedAt(), prepared.queues);
  });
}

/** Sets what is pending and notes it. @returns what was set. @throws InputError */
export async function setQueues(
  prepared: PreparedSwitch,
  records: QueueRecords,
  deadline: number,
): Promise<readonly QueueSetting[]> {
  const { name } = prepared.spec.node;
  if (prepared.queues.length === 0) return [];
  return withThrift(prepared, deadline, [], async (thrift) => {
    const startedAt = await thrift.startedAt();
    const pending = records.pending(name, startedAt, prepared.queues);
    for (const each of pending) await thrift.setQueue(each);
    if (pending.length > 0) await records.note(name, startedAt, prepared.queues);
    return pending;
  });
}

/** Ports whose links are down; none where nobody can tell. @throws InputError */
export async function portsDown(
  prepared: PreparedSwitch,
  deadline: number,
): Promise<ReadonlySet<number>> {
  return withThrift(prepared, deadline, new Set<number>(), (thrift) => thrift.portsDown());
}

async function withThrift<T>(
  { spec }: PreparedSwitch,
  deadline: number,
  otherwise: T,
  use: (thrift: ThriftSwitch) => Promise<T>,
): Promise<T> {
  const { thrift: address, name } = spec.document;
  if (address === undefined) return otherwise;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- PERF: few networks have switches with Thrift
  const own = require('./thrift-switch') as typeof import('./thrift-switch');
  const thrift = await own.ThriftSwitch.connect({ name, address, deadline });
  try {
    return await use(thrift);
  } finally {
    thrift.close();
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

type SettingText = QueueRecord['settings'][number] | QueueSetting;

const textOf = ({ port, priority, packetsPerSecond, depthPackets }: SettingText): string =>
  JSON.stringify([port, priority, packetsPerSecond, depthPackets]);
