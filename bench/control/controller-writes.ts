import { assert } from '../../common/assert';
import { loadP4Artifacts } from '../../common/io/p4-profiles';
import type { NamedEntity, UpdateType } from '../../controller/entities/named-entity';
import { compiledPipeline } from '../../controller/p4runtime/requests/pipeline';
import { P4RuntimeClient } from '../../controller/p4runtime/client';
import type { UpdateCheck } from '../../controller/p4runtime/requests/write';
import { describeBmv2, findBmv2 } from '../live/bmv2-binary';
import { embeddedSwitch, startSwitchProcess } from '../live/switch-process';
import type { SwitchProcess } from '../live/switch-process';

const DEADLINE_MS = 60_000;
const BATCH_SIZE = 100;
/** Requests under way at once; the entries do not depend on each other. */
const REQUESTS_MAX = 8;
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
 * which checks all updates before it sends any, or each batch while the switch works. The switches
 * take turns round by round, so that neither meets a controller that has just begun.
 * @param bmv2Name a path, or a name that is looked for on PATH.
 */
export async function benchControllerWrites(rounds: number, bmv2Name: string): Promise<object> {
  const sizes = {
    batchSize: BATCH_SIZE,
    requestsMax: REQUESTS_MAX,
    routes: ROUTES,
    members: MEMBERS,
  };
  const binary = findBmv2(bmv2Name);
  const embedded = await connected(embeddedSwitch());
  try {
    if (binary === undefined) {
      const figures = await measured(rounds, { embedded });
      return { ...sizes, ...figures, bmv2: `there is no ${bmv2Name}` };
    }
    const bmv2 = await connected([binary.path]);
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
  stop(): Promise<void>;
}

async function connected(command: readonly string[]): Promise<Connected> {
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
    return { client, device, stop };
  } catch (error) {
    await device.stop();
    throw error;
  }
}

type Switches = Readonly<Record<string, Connected>>;

async function measured(rounds: number, switches: Switches): Promise<object> {
  const allFirst = await measureKinds(switches, { rounds, check: 'all-first' });
  const asSent = await measureKinds(switches, { rounds, check: 'as-sent' });
  const both = (name: string): object => ({ allFirst: allFirst[name], asSent: asSent[name] });
  const figures = Object.fromEntries(Object.keys(switches).map((name) => [name, both(name)]));
  if (switches['bmv2'] === undefined) return figures;
  const ratios = { allFirst: ratiosOf(allFirst), asSent: ratiosOf(asSent) };
  return { ...figures, ofBmv2: ratios };
}

interface Kind {
  readonly rounds: number;
  readonly check: UpdateCheck;
}

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
    check: UpdateCheck,
  ): Promise<void> {
    const { client, device } = this.connected;
    const [switchBefore, ownBefore] = [device.cpuSeconds(), process.cpuUsage()];
    for (const type of ['insert', 'modify', 'delete'] as const) {
      this.#speeds[what][type].push(await writesPerSecond(client, { type, entities, check }));
      this.#writes += entities.length;
    }
    const { user, system } = process.cpuUsage(ownBefore);
    this.#controllerMicroseconds += user + system;
    this.#switchSeconds += device.cpuSeconds() - switchBefore;
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

async function writesPerSecond(
  client: P4RuntimeClient,
  kind: { type: UpdateType; entities: readonly NamedEntity[]; check: UpdateCheck },
): Promise<number> {
  const { type, entities, check } = kind;
  const startedAt = performance.now();
  const updates = entities.map((entity) => ({ type, entity }));
  const { failures } = await client.write(updates, {
    batchSize: BATCH_SIZE,
    requestsMax: REQUESTS_MAX,
    check,
  });
  assert(failures.length === 0, `every ${type} succeeds`);
  return entities.length / ((performance.now() - startedAt) / 1000);
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
