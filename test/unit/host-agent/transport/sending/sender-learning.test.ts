import { NO_TELEMETRY } from '../../../../../host-agent/carrier/congestion-sample';
import { hopRecord } from '../../../../support/telemetry';
import { ackOf, drain, rig } from './sender-rig';

const selective = { reorderSpan: 1_000_000 };
const blocked = (...blocks: readonly { from: number; to: number }[]) => ({ ...ackOf(0), blocks });

describe('what a sender tells its congestion control', () => {
  it('is what an acknowledgement is of, also of one that was overtaken', () => {
    const { control, sender } = rig();
    drain(sender, 0);
    for (const sequence of [2000, 1000]) sender.handleAck(1000, ackOf(sequence));
    expect(control.acks.map(({ ackSequence }) => ackSequence)).toEqual([2000, 1000]);
  });

  it('is how far segments have arrived, where they need not arrive in order', () => {
    const { control, sender } = rig(selective);
    drain(sender, 0);
    sender.handleAck(1000, blocked({ from: 1000, to: 2000 }));
    sender.handleAck(2000, ackOf(1000));
    expect(control.acks.map(({ ackSequence }) => ackSequence)).toEqual([2000, 2000]);
  });

  it('is the load of a path whose links are hidden, with what it is of', () => {
    const { control, sender } = rig();
    drain(sender, 0);
    const sample = { kind: 'load', ratio: 0.75, intervalNs: 4000 } as const;
    sender.handleAck(7000, { ...ackOf(1000), sample });
    const report = { ackSequence: 1000, nextSequence: 3000, now: 7000, endsRound: undefined };
    expect(control.loads).toEqual([{ ...report, ratio: 0.75, intervalNs: 4000 }]);
  });

  it('stays as it was told where it may be kept', () => {
    for (const keeps of [{}, { retainsNoInput: false }]) {
      const { control, sender } = rig();
      Object.assign(control, keeps);
      drain(sender, 0);
      for (const sequence of [1000, 2000]) sender.handleAck(sequence, ackOf(sequence));
      expect(control.acks.map(({ now }) => now)).toEqual([1000, 2000]);
    }
  });
});

describe('what a sender remembers of its path', () => {
  it('are the records of the last packet that brought those of every switch', () => {
    const { sender } = rig();
    drain(sender, 0);
    const telemetry = [hopRecord({ switchId: 1 }), hopRecord({ switchId: 2 })];
    expect(sender.latestTelemetry).toEqual([]);
    sender.handleNotification(1, 1000, { ...NO_TELEMETRY, telemetry });
    const one = [hopRecord({ switchId: 3 })];
    sender.handleNotification(2, 1000, { kind: 'links', telemetry: one, isIncomplete: true });
    sender.handleNotification(3, 1000, NO_TELEMETRY);
    expect(sender.latestTelemetry).toEqual(telemetry);
  });

  it('is how many segments have left, repeated ones too', () => {
    const { sender } = rig();
    drain(sender, 0);
    expect(sender.segmentsSent).toBe(3);
    sender.handleWakeup(500_000_000);
    sender.takeSegment(500_000_000);
    expect(sender.segmentsSent).toBe(4);
  });
});
