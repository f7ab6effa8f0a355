import { loadP4Artifacts } from '../../../../common/io/p4-profiles';
import type { Log } from '../../../../common/io/log';
import { readSwitchFlags } from '../../../../switch/io/flags/switch-flags';
import { LiveDevice } from '../../../../switch/io/live-device';
import type { LiveSwitch } from '../../../../switch/io/live/live-switch';
import { SwitchWarming } from '../../../../switch/io/warm-switch';

const ECMP = 'ingress.route.ecmp';
const ROUTE = 'ingress.route.ipv4_route';

afterEach(() => jest.useRealTimers());

/** A switch that is watched, which has received so many packets. */
function watched(received: () => number) {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
  const request = readSwitchFlags(['--no-p4']);
  if (request.kind !== 'run') throw new Error('these flags start a switch');
  const { flags } = request;
  const output = { transmit: () => undefined, schedulePort: () => undefined };
  const device = new LiveDevice(flags, { output });
  const counters = () => [{ received: received() }];
  const live = { counters, ports: new Map([[1, {}]]) } as unknown as LiveSwitch;
  const info = jest.fn();
  const log = { info } as unknown as Log;
  new SwitchWarming({ flags, live, device, log, compiled: undefined });
  device.loadProgram(loadP4Artifacts('hpcc').deviceConfig);
  return { device, info };
}

test('a program without entries is looked at no more until it gets one', async () => {
  const { device, info } = watched(() => 0);
  jest.advanceTimersByTime(1000);
  expect(jest.getTimerCount()).toBe(0);
  route(device);
  jest.advanceTimersByTime(1000);
  expect(jest.getTimerCount()).toBe(0);
  while (info.mock.calls.length === 0) await new Promise(setImmediate);
  expect(info).toHaveBeenCalledWith(
    { frames: 100, milliseconds: expect.any(Number) as number },
    'Code is compiled',
  );
});

test('a switch to which packets keep coming is looked at no more after a while', () => {
  let received = 0;
  const counted = jest.fn(() => received++);
  const { device } = watched(counted);
  route(device);
  jest.advanceTimersByTime(10_000);
  expect(jest.getTimerCount()).toBe(0);
  expect(counted.mock.calls.length).toBeLessThan(10);
});

/** Routes one network to port 2. */
function route({ pipeline }: LiveDevice): void {
  if (pipeline === undefined) throw new Error('it has a program');
  const actionId = pipeline.profileAction(ECMP, 'ingress.route.forward')?.id ?? -1;
  const call = { actionId, arguments: [2n, 0x0200_0000_0002n, 0x0200_0000_0001n] };
  pipeline.actionProfiles.get(ECMP)?.insertMember(7, call);
  pipeline.tables.get(ROUTE)?.insert({
    key: [{ kind: 'lpm', value: 0x0a00_0300n, prefixLength: 24 }],
    priority: 0,
    action: { kind: 'member', memberId: 7 },
  });
}
