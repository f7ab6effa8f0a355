import { MatchTable } from '../../../../switch/tables/match-table';
import type { ActionSignature, EntryAction } from '../../../../switch/control/table-control';

const ACTIONS = new Map<number, ActionSignature>([
  [1, { id: 1, name: 'forward', parameters: [{ name: 'port', width: 9 }] }],
]);

const forward = (port: number): EntryAction => ({
  kind: 'call',
  call: { actionId: 1, arguments: [BigInt(port)] },
});

describe('the resources of an entry', () => {
  const id = { key: [{ kind: 'exact', value: 5n } as const], priority: 0 };
  const settings = { committedRate: 1, committedBurst: 2, peakRate: 3, peakBurst: 4 };

  function made(): { readonly t: MatchTable; readonly clock: { now: number } } {
    const clock = { now: 0 };
    const t = new MatchTable({
      name: 't',
      matchKind: 'exact',
      key: [{ name: 'k', matchKind: 'exact', width: 8 }],
      size: 4,
      actions: ACTIONS,
      profile: undefined,
      defaultCall: undefined,
      defaultIsConstant: false,
      constantEntries: undefined,
      withCounters: true,
      clock,
    });
    t.insert({ ...id, action: forward(1) });
    return { t, clock };
  }

  test('count and can be set', () => {
    const { t } = made();
    expect(t.count(id)).toEqual({ packets: 0, bytes: 0 });
    t.setCount(id, { packets: 3, bytes: 200 });
    expect(t.count(id)).toEqual({ packets: 3, bytes: 200 });
    expect(t.directCounter(id.key, 0)).toEqual({ packets: 3, bytes: 200 });
  });

  test('have a meter once it is configured', () => {
    const { t } = made();
    expect(t.meterSettings(id)).toBeUndefined();
    t.configureMeter(id, settings);
    expect(t.meterSettings(id)).toEqual(settings);
    t.configureMeter(id, undefined);
    expect(t.meterSettings(id)).toBeUndefined();
  });

  test('measure idle time since the last hit, insertion or modification, in ns', () => {
    const { t, clock } = made();
    clock.now = 5_999;
    expect(t.idleNs(id)).toBe(5n);
    const hit = t.lookup([5n]);
    if (hit !== undefined) hit.lastHit = clock.now;
    expect(t.idleNs(id)).toBe(0n);
    clock.now = 9_000;
    expect(t.idleNs(id)).toBe(3n);
    t.modify({ ...id, action: forward(2) });
    expect(t.idleNs(id)).toBe(0n);
  });

  test('survive a modification, and go with the entry', () => {
    const { t } = made();
    t.setCount(id, { packets: 3, bytes: 200 });
    t.modify({ ...id, action: forward(2) });
    expect(t.count(id).packets).toBe(3);
    t.delete(id.key, 0);
    expect(() => t.count(id)).toThrow('no entry with that key');
    t.insert({ ...id, action: forward(1) });
    expect(t.count(id).packets).toBe(0);
  });
});
