import { ObservationLog } from '../../../../emulator/coordination/observation-log';
import { ObservationReplay } from '../../../../emulator/coordination/observation-replay';
import type { Observations } from '../../../../emulator/coordination/observations';

const NODES = ['h1', 'h2', 'leaf1'];
const NOTIFICATION = {
  type: 'control-required',
  senderNode: 2 ** 32 - 1,
  sequence: { high: 2 ** 32 - 1, low: 7 },
  subject: 0xffff_ffff_ffff,
  destination: 0x0a00_0001,
} as const;
const TAGS = [
  { congestionControl: true, reroutingPoint: 2 ** 32 - 1 },
  { congestionControl: false, reroutingPoint: 0 },
  { congestionControl: true, reroutingPoint: undefined },
];

/** Every observation, some with the largest numbers. */
const ALL: readonly ((to: Observations) => void)[] = [
  (to) => to.dataSent(5, 3, 0xffff_ffff_ffff, true),
  (to) => to.dataSent(6, 3, 0, false),
  (to) => to.dataReceived(2 ** 52),
  (to) => to.dataArrived('leaf1', 0, 9),
  ...TAGS.map(
    (tag, port) => (to: Observations) =>
      to.dataForwarded(7, 'leaf1', { flow: 1, packet: 9, port: 510 + port, tag }),
  ),
  (to) => to.markReceived(8, 2),
  (to) => to.notificationSent(9, 'leaf1', NOTIFICATION),
  (to) => to.notificationPassed('leaf1', { ...NOTIFICATION, type: 'rerouting-required' }),
  (to) => to.notificationReceived(9, 'h1', NOTIFICATION, true),
  (to) => to.notificationReceived(9, 'h2', NOTIFICATION, false),
  (to) => to.routesChanged(),
  ...(['tagged', 'released', 'expired', 'rerouted'] as const).map(
    (kind) => (to: Observations) => to.flowCoordinated(10, 'h2', 65_536, kind),
  ),
  (to) => to.rateChanged(11, 'h2', 1, 1e11 / 3),
  (to) => to.flowBegan(12, 1),
  (to) => to.flowCompleted(13, 1),
];

/** Writes down what it is told, in words. */
function listener() {
  const told: string[] = [];
  const to = new Proxy({} as Observations, {
    get:
      (_target, name) =>
      (...args: readonly unknown[]) =>
        told.push(`${String(name)} ${JSON.stringify(args)}`),
  });
  return { told, to };
}

function newReplay(parts: number) {
  const { told, to } = listener();
  const times: number[] = [];
  const advance = (now: number): unknown => times.push(now);
  return { told, times, replay: new ObservationReplay({ parts, nodes: NODES, to, advance }) };
}

interface Place {
  now: number;
  rank: number;
}

/** A log, and events that it observes one packet of each. */
function newPart() {
  const place: Place = { now: 0, rank: 0 };
  const log = new ObservationLog(place, NODES);
  const see = (packet: number, at: Place): void => {
    Object.assign(place, at);
    log.dataReceived(packet);
  };
  return { log, see, place };
}

describe('what a part of a run has observed', () => {
  it('is told again as it was told', () => {
    const { log, place } = newPart();
    const direct = listener();
    const { told, times, replay } = newReplay(1);
    ALL.forEach((tell, i) => {
      place.now = 100 + i;
      tell(log);
      tell(direct.to);
    });
    expect(replay.add(0, log.take())).toBe(1);
    expect(told).toEqual(direct.told);
    expect(new Set(told.map((line) => line.split(' ')[0])).size).toBe(13);
    expect(times).toEqual(ALL.map((_, i) => 100 + i));
  });

  it('is told in the order of events, equal ones by part, whichever part sends first', () => {
    const [one, other] = [newPart(), newPart()];
    one.see(1, { now: 10, rank: 5 });
    one.see(2, { now: 10, rank: 5 });
    one.see(4, { now: 20, rank: 1 });
    one.see(6, { now: 20, rank: 7 });
    other.see(3, { now: 10, rank: 5 });
    other.see(5, { now: 20, rank: 3 });
    other.see(7, { now: 20, rank: 12 });
    const { told, replay } = newReplay(2);
    expect(replay.add(1, other.log.take())).toBe(0);
    expect(told).toEqual([]);
    expect(replay.add(0, one.log.take())).toBe(1);
    expect(told).toEqual([1, 2, 3, 4, 5, 6, 7].map((packet) => `dataReceived [${packet}]`));
  });

  it('waits for the same round of all parts, of which some have nothing to tell', () => {
    const [one, other] = [newPart(), newPart()];
    const { told, replay } = newReplay(2);
    for (const now of [1, 2, 3]) {
      one.see(now, { now, rank: 0 });
      expect(replay.add(0, one.log.take())).toBe(0);
    }
    expect(replay.add(1, other.log.take())).toBe(1);
    expect(told).toHaveLength(1);
    other.see(9, { now: 2, rank: 1 });
    expect(replay.add(1, other.log.take())).toBe(1);
    expect(told.slice(1)).toEqual(['dataReceived [2]', 'dataReceived [9]']);
  });

  it('is worth sending from some thousands on, and none of more is lost', () => {
    const { log, see } = newPart();
    const { told, replay } = newReplay(1);
    see(0, { now: 0, rank: 0 });
    expect(log.isFull).toBe(false);
    const count = 40_000;
    for (let i = 1; i < count; i++) see(i, { now: i, rank: 0 });
    expect(log.isFull).toBe(true);
    replay.add(0, log.take());
    expect(told).toHaveLength(count);
    expect(told.at(-1)).toBe(`dataReceived [${count - 1}]`);
    expect(log.isFull).toBe(false);
    expect(log.take().count).toBe(0);
  });
});
