import { assert } from '../../common/assert';
import { loadP4Artifacts } from '../../common/io/p4-profiles';
import type { EntityUpdate, NamedEntity, UpdateType } from '../../controller/entities/named-entity';
import type { UpdateFailure } from '../../controller/p4runtime/session/errors';
import { compiledPipeline } from '../../controller/p4runtime/requests/pipeline';
import { REQUEST_SIZES } from '../../controller/io/apply-switch';
import { P4RuntimeClient } from '../../controller/p4runtime/client';
import type { UpdateCheck } from '../../controller/p4runtime/requests/write';
import { describeBmv2, findBmv2 } from '../live/bmv2-binary';
import { embeddedSwitch, startSwitchProcess } from '../live/switch-process';
import type { SwitchProcess } from '../live/switch-process';

const DEADLINE_MS = 60_000;
const BATCH_SIZE = 100;
/** Requests under way at once; the entries do not depend on each other. */
const REQUESTS_MAX = 8;
const FIXED = { batchSize: BATCH_SIZE, requestsMax: REQUESTS_MAX } as const;
const ROUTES = 10_000;
const MEMBERS = 4000;

/** Writes per second, by kind of update. */
interface WriteSpeeds {
  readonly insert: number;
  readonly modify: number;
  readonly delete: number;
}

/**
 * P4Runtime writes per second in batches of 100, by the project's controller into the embedded
 * switch and into bmv2, each in a process of its own and without interfaces: routes (one LPM field
 * and a member) and members (an action with three parameters). Both include the controller's work,
 * which checks all updates before it sends any, or each batch while the switch works; and once more as
 * the controller applies a network, with as many updates per request as it gives each switch. The switches
 * take turns round by round, so that neither meets a controller that has just begun.
 * @param bmv2Name a path, or a name that is looked for on PATH.
 */
export async function benchControllerWrites(rounds: number, bmv2Name: string): Promise<object> {
  const sizes = {
    batchSize: BATCH_SIZE,
    requestsMax: REQUESTS_MAX,
    appliedSizes: { embedded: REQUEST_SIZES.embedded, bmv2: REQUEST_SIZES.bmv2 },
    routes: ROUTES,
    members: MEMBERS,
  };
  const binary = findBmv2(bmv2Name);
  const embedded = await connected(embeddedSwitch(), REQUEST_SIZES.embedded);
  try {
    if (binary === undefined) {
      const figures = await measured(rounds, { embedded });
      return { ...sizes, ...figures, bmv2: `there is no ${bmv2Name}` };
    }
    const bmv2 = await connected([binary.path], REQUEST_SIZES.bmv2);
    try {
      const figures = await measured(rounds, { embedded, bmv2 });
      return { ...sizes, bmv2Binary: await describeBmv2(binary), ...figures };
    } finally {
      await bmv2.stop();
    }
  } finally {
    await embedded.stop();
  }
}

/** A switch with its program, and the controller that is its primary. */
interface Connected {
  readonly client: P4RuntimeClient;
  readonly device: SwitchProcess;
  /** Updates per request when the controller applies a network. */
  readonly size: number;
  stop(): Promise<void>;
}

async function connected(command: readonly string[], size: number): Promise<Connected> {
  const device = await startSwitchProcess(command, []);
  try {
    const client = await P4RuntimeClient.connect({
      name: 's1',
      address: device.address,
      deviceId: 1n,
      electionId: 1n,
      deadline: DEADLINE_MS,
    });
    await client.becomePrimary();
    await client.pushPipeline(compiledPipeline(loadP4Artifacts('hpcc')));
    const stop = (): Promise<void> => {
      client.close();
      return device.stop();
    };
    return { client, device, size, stop };
  } catch (error) {
    await device.stop();
    throw error;
  }
}

type Switches = Readonly<Record<string, Connected>>;

async function measured(rounds: number, switches: Switches): Promise<object> {
  const allFirst = await measureKinds(switches, { rounds, check: 'all-first' });
  const asSent = await measureKinds(switches, { rounds, check: 'as-sent' });
  const applied = await measureKinds(switches, { rounds, check: 'applied' });
  const both = (name: string): object => ({
    allFirst: allFirst[name],
    asSent: asSent[name],
    applied: applied[name],
  });
  const figures = Object.fromEntries(Object.keys(switches).map((name) => [name, both(name)]));
  if (switches['bmv2'] === undefined) return figures;
  const ratios = {
    allFirst: ratiosOf(allFirst),
    asSent: ratiosOf(asSent),
    applied: ratiosOf(applied),
  };
  return { ...figures, ofBmv2: ratios };
}

interface Kind {
  readonly rounds: number;
  readonly check: Manner;
}

/** When updates are checked, in requests of 100; or `applied`, as `hpcc controller apply` writes them. */
type Manner = UpdateCheck | 'applied';

/** Figures of one switch. */
interface Speeds {
  readonly routesPerSecond: WriteSpeeds;
  readonly membersPerSecond: WriteSpeeds;
  readonly cpu: object;
}

async function measureKinds(switches: Switches, kind: Kind): Promise<Record<string, Speeds>> {
  const runs = Object.entries(switches).map(([name, each]) => ({ name, run: new Run(each) }));
  const members = Array.from({ length: MEMBERS }, (_, i) => member(i + 1));
  const routes = Array.from({ length: ROUTES }, (_, i) => route(i));
  for (let round = 0; round <= kind.rounds; round++) {
    for (const { run } of runs) await run.round('members', members, kind.check);
    // Who was first is last in the next round.
    runs.reverse();
  }
  for (const { run } of runs) await run.writeMember('insert');
  for (let round = 0; round <= kind.rounds; round++) {
    for (const { run } of runs) await run.round('routes', routes, kind.check);
    runs.reverse();
  }
  for (const { run } of runs) await run.writeMember('delete');
  return Object.fromEntries(runs.map(({ name, run }) => [name, run.speeds()]));
}

/** The writes into one switch, and what they cost. */
class Run {
  readonly #speeds = { members: noSpeeds(), routes: noSpeeds() };
  #writes = 0;
  #controllerMicroseconds = 0;
  #switchSeconds = 0;

  constructor(private readonly connected: Connected) {}

  /** Inserts, modifies and deletes all entities; the first round of a kind only warms up. */
  async round(
    what: 'members' | 'routes',
    entities: readonly NamedEntity[],
    check: Manner,
  ): Promise<void> {
    const { device } = this.connected;
    const [switchBefore, ownBefore] = [device.cpuSeconds(), process.cpuUsage()];
    for (const type of ['insert', 'modify', 'delete'] as const) {
      this.#speeds[what][type].push(await this.#writesPerSecond({ type, entities, check }));
      this.#writes += entities.length;
    }
    const { user, system } = process.cpuUsage(ownBefore);
    this.#controllerMicroseconds += user + system;
    this.#switchSeconds += device.cpuSeconds() - switchBefore;
  }

  async #writesPerSecond(kind: Writes): Promise<number> {
    const { client, size } = this.connected;
    const startedAt = performance.now();
    const updates = kind.entities.map((entity) => ({ type: kind.type, entity }));
    const failures =
      kind.check === 'applied'
        ? await applied(client, updates, size)
        : (await client.write(updates, { ...FIXED, check: kind.check })).failures;
    assert(failures.length === 0, `every ${kind.type} succeeds`);
    return updates.length / ((performance.now() - startedAt) / 1000);
  }

  /** The member that the routes lead to. */
  async writeMember(type: 'insert' | 'delete'): Promise<void> {
    await this.connected.client.writeAll(type, [member(1)]);
  }

  speeds(): Speeds {
    const perWrite = (microseconds: number): number =>
      Number((microseconds / this.#writes).toFixed(1));
    // Other processes on the machine disturb these figures less.
    const microsecondsPerWrite = {
      controller: perWrite(this.#controllerMicroseconds),
      switch: perWrite(this.#switchSeconds * 1e6),
    };
    return {
      routesPerSecond: medians(this.#speeds.routes),
      membersPerSecond: medians(this.#speeds.members),
      cpu: { microsecondsPerWrite },
    };
  }
}

type Rounds = Record<UpdateType, number[]>;

const noSpeeds = (): Rounds => ({ insert: [], modify: [], delete: [] });

const medians = (speeds: Rounds): WriteSpeeds => ({
  insert: median(speeds.insert.slice(1)),
  modify: median(speeds.modify.slice(1)),
  delete: median(speeds.delete.slice(1)),
});

/** Speeds of the embedded switch, of bmv2's. */
function ratiosOf({ embedded, bmv2 }: Record<string, Speeds>): object {
  const ratios = (what: 'routesPerSecond' | 'membersPerSecond'): object => {
    const [ours, theirs] = [embedded?.[what], bmv2?.[what]];
    assert(ours !== undefined && theirs !== undefined, 'both switches were measured');
    const ratio = (type: UpdateType): number => Number((ours[type] / theirs[type]).toFixed(2));
    return { insert: ratio('insert'), modify: ratio('modify'), delete: ratio('delete') };
  };
  return { routes: ratios('routesPerSecond'), members: ratios('membersPerSecond') };
}

interface Writes {
  readonly type: UpdateType;
  readonly entities: readonly NamedEntity[];
  readonly check: Manner;
}

/** Writes as the controller does: the next request when the last one has been answered. */
async function applied(
  client: P4RuntimeClient,
  updates: readonly EntityUpdate[],
  size: number,
): Promise<readonly UpdateFailure[]> {
  const failures: UpdateFailure[] = [];
  for (let first = 0; first < updates.length; first += size) {
    const batch = updates.slice(first, first + size);
    failures.push(...(await client.write(batch, { batchSize: size })).failures);
  }
  return failures;
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return Math.round(values[values.length >> 1] ?? 0);
}

const text = (value: number): string =>
  [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');

const route = (i: number): NamedEntity => ({
  kind: 'table-entry',
  table: 'ingress.route.ipv4_route',
  match: { 'hdr.ipv4.dst_addr': { lpm: [text(0x0a00_0000 + i), 32] } },
  priority: 0,
  action: { kind: 'member', memberId: 1 },
});

const member = (memberId: number): NamedEntity => ({
  kind: 'member',
  actionProfile: 'ingress.route.ecmp',
  memberId,
  action: {
    name: 'ingress.route.forward',
    arguments: {
      port: memberId % 500,
      dst_mac: '02:00:00:00:00:01',
      src_mac: '02:00:00:00:00:02',
    },
  },
});
