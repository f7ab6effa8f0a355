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
 * which checks all updates before it sends any, or each batch while the switch works.
 * @param bmv2Name a path, or a name that is looked for on PATH.
 */
export async function benchControllerWrites(rounds: number, bmv2Name: string): Promise<object> {
  const sizes = {
    batchSize: BATCH_SIZE,
    requestsMax: REQUESTS_MAX,
    routes: ROUTES,
    members: MEMBERS,
  };
  const embedded = await measure(embeddedSwitch(), rounds);
  const binary = findBmv2(bmv2Name);
  if (binary === undefined) return { ...sizes, embedded, bmv2: `there is no ${bmv2Name}` };
  const figures = await measure([binary.path], rounds);
  return { ...sizes, embedded, bmv2: { ...(await describeBmv2(binary)), ...figures } };
}

async function measure(command: readonly string[], rounds: number): Promise<object> {
  const device = await startSwitchProcess(command, []);
  try {
    const client = await P4RuntimeClient.connect({
      name: 's1',
      address: device.address,
      deviceId: 1n,
      electionId: 1n,
      deadline: DEADLINE_MS,
    });
    try {
      await client.becomePrimary();
      await client.pushPipeline(compiledPipeline(loadP4Artifacts('hpcc')));
      return {
        allFirst: await measureKinds(client, device, { rounds, check: 'all-first' }),
        asSent: await measureKinds(client, device, { rounds, check: 'as-sent' }),
      };
    } finally {
      client.close();
    }
  } finally {
    await device.stop();
  }
}

interface Kind {
  readonly rounds: number;
  readonly check: UpdateCheck;
}

async function measureKinds(
  client: P4RuntimeClient,
  device: SwitchProcess,
  kind: Kind,
): Promise<object> {
  const [switchBefore, ownBefore] = [device.cpuSeconds(), process.cpuUsage()];
  const members = Array.from({ length: MEMBERS }, (_, i) => member(i + 1));
  const membersPerSecond = await writesPerSecond(client, members, kind);
  await client.writeAll('insert', [member(1)]);
  const routes = Array.from({ length: ROUTES }, (_, i) => route(i));
  const routesPerSecond = await writesPerSecond(client, routes, kind);
  await client.writeAll('delete', [member(1)]);
  const { user, system } = process.cpuUsage(ownBefore);
  const writes = 3 * (kind.rounds + 1) * (MEMBERS + ROUTES);
  // Other processes on the machine disturb these figures less.
  const microsecondsPerWrite = {
    controller: Number(((user + system) / writes).toFixed(1)),
    switch: Number((((device.cpuSeconds() - switchBefore) * 1e6) / writes).toFixed(1)),
  };
  return { routesPerSecond, membersPerSecond, cpu: { microsecondsPerWrite } };
}

/** All entities are inserted, modified and deleted in each round; the first one warms up. */
async function writesPerSecond(
  client: P4RuntimeClient,
  entities: readonly NamedEntity[],
  { rounds, check }: Kind,
): Promise<WriteSpeeds> {
  const speeds: Record<UpdateType, number[]> = { insert: [], modify: [], delete: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const type of ['insert', 'modify', 'delete'] as const) {
      const startedAt = performance.now();
      const updates = entities.map((entity) => ({ type, entity }));
      const { failures } = await client.write(updates, {
        batchSize: BATCH_SIZE,
        requestsMax: REQUESTS_MAX,
        check,
      });
      assert(failures.length === 0, `every ${type} succeeds`);
      const seconds = (performance.now() - startedAt) / 1000;
      if (round > 0) speeds[type].push(entities.length / seconds);
    }
  }
  return {
    insert: median(speeds.insert),
    modify: median(speeds.modify),
    delete: median(speeds.delete),
  };
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
