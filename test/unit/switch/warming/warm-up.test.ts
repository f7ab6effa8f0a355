import { loadP4Artifacts } from '../../../../common/io/p4-profiles';
import { gigabitsPerSecond } from '../../../../common/units/units';
import { executorFactory } from '../../../../switch/codegen/executors';
import { V1ModelSwitch } from '../../../../switch/v1model/v1model-switch';
import { copyEntries, warmUp } from '../../../../switch/warming/warm-up';
import { sampleFrames } from '../../../../switch/warming/sample-frames';
import type { SwitchOutput } from '../../../../switch/v1model/options';

const NETWORK = 0x0a00_0300;
const ECMP = 'ingress.route.ecmp';
const ROUTE = 'ingress.route.ipv4_route';
const NO_OUTPUT: SwitchOutput = { transmit: () => undefined, schedulePort: () => undefined };

const { deviceConfig } = loadP4Artifacts('hpcc');

const createDevice = (output: SwitchOutput): V1ModelSwitch =>
  new V1ModelSwitch({
    ports: [1, 2].map((port) => ({ port, rate: gigabitsPerSecond(1) })),
    executor: executorFactory('generated'),
    output,
  });

function wholly<Result>(work: Generator<undefined, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** A switch that routes one network to port 2. */
function router() {
  const device = createDevice(NO_OUTPUT);
  device.loadProgram(deviceConfig);
  const { pipeline } = device;
  if (pipeline === undefined) throw new Error('it has a program');
  const actionId = pipeline.profileAction(ECMP, 'ingress.route.forward')?.id ?? -1;
  pipeline.actionProfiles
    .get(ECMP)
    ?.insertMember(7, { actionId, arguments: [2n, 0x0200_0000_0002n, 0x0200_0000_0001n] });
  pipeline.tables.get(ROUTE)?.insert({
    key: [{ kind: 'lpm', value: BigInt(NETWORK), prefixLength: 24 }],
    priority: 0,
    action: { kind: 'member', memberId: 7 },
  });
  return { device, pipeline };
}

describe('warming a switch up', () => {
  test('forwards what its entries match, and leaves nothing at the switch itself', () => {
    const { device, pipeline } = router();
    const countersOf = (): string =>
      JSON.stringify([[...device.counters().ports], device.counters().drops]);
    const before = countersOf();
    let time = 0;
    const clock = (): number => (time += 0.001);
    const setting = { json: deviceConfig, pipeline, ports: [1], copies: 2, createDevice, clock };
    expect(wholly(warmUp(setting))).toBe(100);
    expect(countersOf()).toBe(before);
    for (const register of pipeline.registerList) {
      for (let i = 0; i < register.size; i++) expect(register.read(i)).toBe(0n);
    }
  });

  test('pauses before each frame, so that packets of others come between', () => {
    const { pipeline } = router();
    const setting = { json: deviceConfig, pipeline, ports: [1], copies: 2, createDevice };
    const work = warmUp({ ...setting, clock: () => 0 });
    let pauses = 0;
    while (work.next().done !== true) pauses++;
    expect(pauses).toBe(2 + 100);
  });

  test('ends in time on a slow machine', () => {
    const { pipeline } = router();
    let time = 0;
    const clock = (): number => (time += 100);
    const setting = { json: deviceConfig, pipeline, ports: [1], copies: 2, createDevice, clock };
    const sent = wholly(warmUp(setting));
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(80);
  });

  test('takes its frames from the addresses that entries match, with and without INT', () => {
    const { pipeline } = router();
    const destinations = sampleFrames(pipeline).map((bytes) =>
      new DataView(bytes.buffer).getUint32(30),
    );
    expect(destinations).toEqual(new Array(6).fill(NETWORK));
    expect(sampleFrames(pipeline).map((bytes) => (bytes[15] ?? 0) >>> 2)).toEqual([
      0, 0x17, 0, 0, 0x17, 0,
    ]);
  });

  test('copies entries, members, groups and default actions', () => {
    const { pipeline } = router();
    const profile = pipeline.actionProfiles.get(ECMP);
    profile?.insertGroup(3, [{ memberId: 7, weight: 2 }], 4);
    const seed = 'ingress.route.ecmp_seed';
    const actionId = pipeline.tableAction(seed, 'ingress.route.set_seed')?.id ?? -1;
    pipeline.tables.get(seed)?.setDefault({ actionId, arguments: [5n] });
    const other = createDevice(NO_OUTPUT);
    other.loadProgram(deviceConfig);
    if (other.pipeline === undefined) throw new Error('it has a program');
    copyEntries(pipeline, other.pipeline);
    const copy = other.pipeline.actionProfiles.get(ECMP);
    expect([...(copy?.members() ?? [])]).toEqual([...(profile?.members() ?? [])]);
    expect([...(copy?.groups() ?? [])]).toEqual([...(profile?.groups() ?? [])]);
    for (const [name, table] of pipeline.tables) {
      const copied = other.pipeline.tables.get(name)?.snapshot() ?? [];
      expect([...copied]).toEqual([...table.snapshot()]);
      expect(other.pipeline.tables.get(name)?.defaultAction).toEqual(table.defaultAction);
    }
  });
});
