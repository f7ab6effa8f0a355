import { CreditSchedule } from '../../../../../host-agent/transport/receiving/credit-schedule';
import type { CreditedFlow } from '../../../../../host-agent/transport/receiving/credit-schedule';

type Flow = { -readonly [Name in keyof CreditedFlow]: CreditedFlow[Name] };
const newFlow = (): Flow => ({ demand: undefined, isFinished: false });
/** 0.99 of the link: a byte takes 80 ps; with so many bytes to spare. */
const schedule = (spareBytes = 0): CreditSchedule<Flow> =>
  new CreditSchedule(100e9 / 0.99, (spareBytes / 1.5) * 80 * 0.99);
const SEGMENT = { headers: 100, segment: 1000 };

test('grants a few segments at a time, as fast as their frames fill the link', () => {
  const [own, flow] = [schedule(), newFlow()];
  own.want(7000, flow, { target: 9500, ...SEGMENT });
  const grants: (number | undefined)[][] = [];
  while (own.nextAt < Infinity) {
    const at = own.nextAt;
    own.take(at);
    grants.push([Math.round(at), flow.demand?.granted]);
  }
  const four = 4400 * 80;
  expect(grants).toEqual([
    [7000, 4000],
    [7000 + four, 8000],
    [7000 + 2 * four, 9500],
  ]);
});

test('flows take turns, and who wants no more has none', () => {
  const own = schedule();
  const [a, b] = [newFlow(), newFlow()];
  own.want(0, a, { target: 12_000, ...SEGMENT });
  own.want(0, b, { target: 1000, ...SEGMENT });
  const turns: (Flow | undefined)[] = [];
  for (let now = 0; own.nextAt < Infinity; now = own.nextAt) turns.push(own.take(now));
  expect(turns.map((flow) => (flow === a ? 'a' : 'b'))).toEqual(['a', 'b', 'a', 'a']);
  expect([a.demand?.granted, b.demand?.granted]).toEqual([12_000, 1000]);
});

test('a demand that is older than another changes nothing', () => {
  const [own, flow] = [schedule(), newFlow()];
  own.want(0, flow, { target: 2000, ...SEGMENT });
  own.want(0, flow, { target: 1000, ...SEGMENT });
  own.take(0);
  expect(flow.demand).toMatchObject({ granted: 2000, grants: 1 });
  expect(own.nextAt).toBe(Infinity);
});

test('what was cut is granted once more, where the flow wants nothing besides', () => {
  const [own, flow] = [schedule(), newFlow()];
  own.want(0, flow, { target: 1000, ...SEGMENT });
  own.wantAgain(0, flow, 1000);
  own.take(0);
  expect(flow.demand?.granted).toBe(1000);
  own.wantAgain(1e6, flow, 1000);
  own.take(1e6);
  expect(flow.demand?.granted).toBe(2000);
});

test('a flow that has been received whole is granted nothing', () => {
  const own = schedule();
  const [ended, next] = [newFlow(), newFlow()];
  own.want(0, ended, { target: 4000, ...SEGMENT });
  own.want(0, next, { target: 4000, ...SEGMENT });
  ended.isFinished = true;
  expect(own.take(0)).toBe(next);
  expect(ended.demand?.granted).toBe(0);
});

test('a flow that has got what it wants is granted some to spare, after all that want some', () => {
  const own = schedule(6000);
  const [a, b] = [newFlow(), newFlow()];
  own.want(0, a, { target: 4000, ...SEGMENT });
  own.want(0, b, { target: 8000, ...SEGMENT });
  const turns: unknown[] = [];
  for (let now = 0; own.nextAt < Infinity; now = own.nextAt) {
    const flow = own.take(now);
    if (flow !== undefined) turns.push([flow === a ? 'a' : 'b', flow.demand?.granted]);
  }
  expect(turns).toEqual([
    ['a', 4000],
    ['b', 4000],
    ['b', 8000],
    ['a', 8000],
    ['b', 12_000],
    ['a', 10_000],
    ['b', 14_000],
  ]);
});

test('what is spare is nothing for a flow that has ended, and less for one that wants it', () => {
  const own = schedule(6000);
  const [ended, flow] = [newFlow(), newFlow()];
  own.want(0, ended, { target: 1000, ...SEGMENT });
  expect(own.take(0)).toBe(ended);
  ended.isFinished = true;
  expect(own.take(1e9)).toBe(undefined);
  own.want(1e9, flow, { target: 4000, ...SEGMENT });
  for (let now = 1e9; own.nextAt < Infinity; now = own.nextAt) own.take(now);
  own.want(2e9, flow, { target: 9000, ...SEGMENT });
  expect(flow.demand?.granted).toBe(10_000);
  for (let now = 2e9; own.nextAt < Infinity; now = own.nextAt) own.take(now);
  expect(flow.demand?.granted).toBe(10_000);
});
