import * as fc from 'fast-check';
import { Random } from '../../../../common/random/random';
import { PS_PER_SECOND } from '../../../../common/units/units';
import type { FeedbackOptions } from '../../../../host-agent/feedback/feedback-plan';
import { KeyRing } from '../../../../host-agent/feedback/key-ring';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import type { RoceOperation } from '../../../../host-agent/settings/settings';
import { flowTo } from '../../../support/hosts';
import { networkKeys } from '../../../support/notifications';
import { PairDriver } from '../../../support/pair-driver';
import {
  byteAt,
  coordinatingNetwork,
  faultyNetwork,
  roceHost,
  writeBytes,
} from '../../../support/roce-hosts';
import type { Faults } from '../../../support/roce-hosts';
import { casesOf } from '../../../support/effort';

const RUNS = casesOf(30);
const DELAY = 2_000_000;
const PLANS: readonly FeedbackOptions[] = [
  {},
  { collectEvery: 4 },
  { acknowledgeEvery: 3 },
  { collectBy: 'probe' },
  { collectBy: 'probe', returnBy: 'ack' },
  { returnBy: 'notification' },
  { returnBy: 'notification', collectEvery: 4 },
  { algorithmAt: 'receiver' },
  { algorithmAt: 'receiver', collectEvery: 4, acknowledgeEvery: 3 },
];

interface Run {
  readonly operation: RoceOperation;
  readonly flows: readonly number[];
  readonly plan: number;
  readonly isSigned: boolean;
  readonly isCoordinated: boolean;
  readonly messageBytes: number;
  readonly psn: number;
  readonly isStored: boolean;
  readonly faults: Faults;
  readonly seed: number;
}

const anyRun: fc.Arbitrary<Run> = fc.record({
  operation: fc.constantFrom('write', 'read', 'send'),
  flows: fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 3 }),
  plan: fc.nat({ max: PLANS.length - 1 }),
  isSigned: fc.boolean(),
  isCoordinated: fc.boolean(),
  messageBytes: fc.constantFrom(100, 256, 1000, 4096, 2 ** 20),
  // Around the end of the PSNs, where they wrap.
  psn: fc.constantFrom(0, 0xff_fff0, 0xff_ffff, 0x7f_fff8, 0x80_0000),
  isStored: fc.boolean(),
  faults: fc.record({
    lost: fc.constantFrom(0, 0.01, 0.05),
    repeated: fc.constantFrom(0, 0.05),
    reordered: fc.constantFrom(0, 0.05),
    corrupted: fc.constantFrom(0, 0.05),
  }),
  seed: fc.nat(),
});

function start(run: Run) {
  const { operation, messageBytes, psn, isStored, seed } = run;
  const received = run.flows.map(() => ({ bytes: [] as number[], length: 0, isInOrder: true }));
  const feedback = PLANS[run.plan] ?? {};
  const ring = new KeyRing(hmacSha256, 1, new Uint8Array(32).fill(7));
  const shared = {
    operation,
    messageBytes,
    initialPsn: () => psn,
    retryCount: 7,
    feedback,
    ...(run.isSigned && { keyRing: ring }),
    ...(isStored && { readSource: () => writeBytes }),
    ...(run.isCoordinated && { coordination: { keys: networkKeys() } }),
  };
  const deliver = (delivery: {
    flow: number;
    sequence: number;
    length: number;
    stored: Uint8Array;
  }) => {
    const flow = received[delivery.flow];
    if (flow === undefined) return;
    flow.isInOrder &&= delivery.sequence === flow.length;
    flow.length += delivery.length;
    flow.bytes.push(...delivery.stored);
  };
  const hosts = [roceHost(1, { ...shared, deliver }), roceHost(2, { ...shared, deliver })] as const;
  const random = new Random(seed);
  const faulty = faultyNetwork(random, run.faults, 2 * DELAY);
  const network = run.isCoordinated ? coordinatingNetwork(faulty, random) : faulty;
  const driver = new PairDriver(hosts, { delay: DELAY, network });
  run.flows.forEach((bytes, id) =>
    hosts[0].startFlow(0, { ...flowTo(2, id, bytes), ...(isStored && { payload: writeBytes }) }),
  );
  return { driver, received };
}

describe('two hosts over RoCEv2', () => {
  test('deliver every byte exactly once and in order, whatever the network does', () => {
    fc.assert(
      fc.property(anyRun, (run) => {
        const { driver, received } = start(run);
        expect(driver.run(100 * PS_PER_SECOND)).toBe(true);
        const ended = driver.events[0].filter(({ kind }) => kind === 'flow-completed');
        expect(ended).toHaveLength(run.flows.length);
        run.flows.forEach((bytes, id) => {
          expect(received[id]).toMatchObject({ length: bytes, isInOrder: true });
          const stored = received[id]?.bytes ?? [];
          expect(stored).toHaveLength(run.isStored ? bytes : 0);
          expect(stored.every((byte, at) => byte === byteAt(at))).toBe(true);
        });
      }),
      { numRuns: RUNS },
    );
  });
});
