import { NO_TELEMETRY } from '../../../../../host-agent/carrier/congestion-sample';
import { ackOf, drain, rig } from './sender-rig';

const selective = { reorderSpan: 1_000_000 };
const blocked = (...blocks: readonly { from: number; to: number }[]) => ({ ...ackOf(0), blocks });

describe('what a sender refuses', () => {
  it('is what says that single segments have arrived, unless it repeats single segments', () => {
    const { control, sender } = rig();
    drain(sender, 0);
    expect(sender.handleAck(1000, blocked({ from: 1000, to: 2000 }))).toBe(false);
    expect(sender.handleAck(1000, blocked())).toBe(true);
    expect(control.acks).toHaveLength(1);
  });

  it('is any block of bytes that were never sent, with all that came with it', () => {
    const { control, sender } = rig(selective);
    drain(sender, 0);
    const good = { from: 1000, to: 3000 };
    expect(sender.handleAck(1000, blocked(good, { from: 2000, to: 3001 }))).toBe(false);
    expect([control.acks.length, sender.inflightBytes]).toEqual([0, 3000]);
    expect(sender.handleAck(1000, blocked(good))).toBe(true);
    expect([control.acks.length, sender.inflightBytes]).toEqual([1, 1000]);
  });

  it('is telemetry beyond the last byte that was sent, and not that of the last', () => {
    const { control, sender } = rig();
    drain(sender, 0);
    expect(sender.handleNotification(1000, 3001, NO_TELEMETRY)).toBe(false);
    expect(sender.handleNotification(1000, 3000, NO_TELEMETRY)).toBe(true);
    expect(control.acks.map(({ ackSequence }) => ackSequence)).toEqual([3000]);
  });

  it('is a request to go back with nothing in flight', () => {
    const { sender } = rig();
    drain(sender, 0);
    sender.handleAck(1000, ackOf(3000));
    sender.handleAck(2000, ackOf(3000, true));
    expect(sender.counters).toMatchObject({ nacks: 0, acknowledgedBytes: 3000 });
  });

  it('is a flow of no bytes', () => {
    expect(() => rig({ bytes: 0 })).toThrow('a flow has at least one byte');
  });

  it('is more of a flow that has its last bytes, and more that is nothing', () => {
    const message = 'bytes are appended to an open flow';
    expect(() => rig().sender.append(0, 1, true)).toThrow(message);
    const { sender } = rig({ isOpen: true });
    expect(() => sender.append(0, 0, true)).toThrow(message);
    sender.append(0, 1, true);
    expect(sender.totalBytes).toBe(10_001);
  });
});
