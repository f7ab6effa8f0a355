import { algorithmNamed } from '../../../../../host-agent/algorithm/library/algorithms';
import type {
  CongestionControl,
  Credit,
} from '../../../../../host-agent/algorithm/congestion-control';
import { acknowledgement } from '../../../../support/telemetry';

/** A bandwidth-delay product of 150 segments, and so 225 in the first credit. */
const LINK = { linkRate: 100e9, baseRtt: 12_000_000, segmentBytes: 1000 };
const FIRST = 225_000;

function create(): { readonly control: CongestionControl; readonly credit: Credit } {
  const control = algorithmNamed('rccc').factory({})(LINK);
  if (control.credit === undefined) throw new Error('it has no credit');
  return { control, credit: control.credit };
}
const grant = (control: CongestionControl, granted: number): boolean | undefined =>
  control.onWindow?.(1, { epoch: 1, flows: 0, windowBytes: granted });
const heard = (control: CongestionControl): unknown =>
  control.onAck(acknowledgement({ telemetry: [] }));
const lose = (control: CongestionControl, kind: 'gap' | 'timeout', now: number): void =>
  control.onLoss?.({ kind, sequence: 0, nextSequence: 1000, now });

describe('RCCC at the sender', () => {
  test('begins at its own risk, which ends when the receiver is heard', () => {
    const { control, credit } = create();
    expect([credit.bytes, control.pacingRate]).toEqual([FIRST, 100e9]);
    credit.spend(1000);
    heard(control);
    expect(credit.bytes).toBe(0);
    grant(control, 4000);
    heard(control);
    expect(credit.bytes).toBe(4000);
  });

  test('owes what the last segment took too much', () => {
    const { control, credit } = create();
    heard(control);
    grant(control, 500);
    credit.spend(1000);
    expect(credit.bytes).toBe(-500);
    grant(control, 1500);
    expect(credit.bytes).toBe(500);
  });

  test('takes a grant by what was granted so far, and an older one not at all', () => {
    const { control, credit } = create();
    expect(grant(control, 8000)).toBe(true);
    expect(grant(control, 4000)).toBe(false);
    expect(credit.bytes).toBe(8000);
    grant(control, 1e9);
    expect(credit.bytes).toBe(FIRST);
  });

  test('wants what it has no credit for, of what its window is at most', () => {
    const { control, credit } = create();
    credit.spend(1000);
    // What is left of the first credit is enough, and a segment is wanted all the same.
    expect(credit.target(50_000)).toBe(1000);
    heard(control);
    expect(credit.target(50_000)).toBe(50_000);
    expect(credit.isOwed).toBe(true);
    grant(control, 50_000);
    expect(credit.isOwed).toBe(false);
    credit.spend(1000);
    expect(credit.target(1e9)).toBe(50_000 + FIRST - 49_000);
    // What has been told is never less.
    expect(credit.target(0)).toBe(50_000 + FIRST - 49_000);
  });

  test('has credit for one segment after a timeout, and for all again when it was idle', () => {
    const { control, credit } = create();
    heard(control);
    lose(control, 'gap', 5);
    expect(credit.bytes).toBe(0);
    lose(control, 'timeout', 6);
    control.onIdleRestart(6);
    expect(credit.bytes).toBe(1);
    heard(control);
    control.onIdleRestart(7);
    expect(credit.bytes).toBe(FIRST);
  });
});
