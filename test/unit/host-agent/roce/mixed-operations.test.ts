import * as fc from 'fast-check';
import { Random } from '../../../../common/random/random';
import { PS_PER_SECOND } from '../../../../common/units/units';
import type { DeliveredPayload } from '../../../../host-agent/roce/queue-pair/queue-pair';
import { PairDriver } from '../../../support/pair-driver';
import { Connection } from '../../../support/roce-connection';
import type { PostedMessage } from '../../../support/roce-connection';
import { byteAt, faultyNetwork } from '../../../support/roce-hosts';

const RUNS = Number(process.env['HPCC_ROCE_FAULT_RUNS'] ?? 40);
const DELAY = 2_000_000;

const anyMessage: fc.Arbitrary<PostedMessage> = fc.record({
  kind: fc.constantFrom('write', 'read', 'send'),
  length: fc.oneof(fc.nat({ max: 10 }), fc.constantFrom(256, 512), fc.nat({ max: 2000 })),
  offset: fc.nat({ max: 1000 }),
});

const anyRun = fc.record({
  messages: fc.array(anyMessage, { minLength: 1, maxLength: 8 }),
  psn: fc.constantFrom(0, 0xff_fff8, 0x7f_fff8),
  readsOutstanding: fc.constantFrom(1, 16),
  collectBy: fc.constantFrom('data' as const, 'probe' as const),
  faults: fc.record({
    lost: fc.constantFrom(0, 0.05),
    repeated: fc.constantFrom(0, 0.05),
    reordered: fc.constantFrom(0, 0.05),
    corrupted: fc.constantFrom(0, 0.05),
  }),
  seed: fc.nat(),
});

/** What is delivered for a message: its packets, whose bytes say where they come from. */
function packetsOf({ offset, length }: PostedMessage): (readonly [number, number])[] {
  const starts = Array.from({ length: Math.ceil(length / 256) }, (_, i) => 256 * i);
  return starts.map((at) => [offset + at, Math.min(256, length - at)]);
}

const ranges = (payloads: readonly DeliveredPayload[]) =>
  payloads.map(({ offset, length }) => [offset, length]);

/** SENDs say no address: one follows the other. */
function withSendOffsets(messages: readonly PostedMessage[]): PostedMessage[] {
  let end = 0;
  return messages.map((message) => {
    if (message.kind !== 'send') return message;
    const offset = end;
    end += message.length;
    return { ...message, offset };
  });
}

describe('a connection with WRITE, READ and SEND mixed', () => {
  test('executes each operation once and in order, whatever the network does', () => {
    fc.assert(
      fc.property(anyRun, ({ messages, psn, readsOutstanding, collectBy, faults, seed }) => {
        const posted = withSendOffsets(messages);
        const given = { initialPsn: () => psn, readsOutstanding, feedback: { collectBy } };
        const connection = new Connection(posted, given);
        const network = faultyNetwork(new Random(seed), faults, 2 * DELAY);
        const driver = new PairDriver(connection.ends, { delay: DELAY, network });
        expect(driver.run(100 * PS_PER_SECOND)).toBe(true);
        expect(connection.outcome).toBe('completed');
        const [toTarget, toInitiator] = [false, true].map((isRead) =>
          posted.filter(({ kind }) => (kind === 'read') === isRead).flatMap(packetsOf),
        );
        expect(ranges(connection.written)).toEqual(toTarget);
        expect(ranges(connection.read)).toEqual(toInitiator);
        for (const { offset, stored } of [...connection.written, ...connection.read]) {
          expect(stored.every((byte, i) => byte === byteAt(offset + i))).toBe(true);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
