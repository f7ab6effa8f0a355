import type { Packet } from '../../../../common/packet/packet';
import { Random } from '../../../../common/random/random';
import { parseIntMd, readHops } from '../../../../common/wire/int/int-md';
import type { IntMd } from '../../../../common/wire/int/int-md';
import { TelemetryForger } from '../../../../emulator/network/telemetry-forger';
import { forgedTelemetrySchema } from '../../../../emulator/scenario/data-plane-schema';
import type { Forgery } from '../../../../emulator/scenario/data-plane-schema';
import { parseFrame } from '../../../../host-agent/transport/frames/received-frame';
import type { ReceivedFrame } from '../../../../host-agent/transport/frames/received-frame';
import { flowTo, testHost } from '../../../support/hosts';
import { pushHop } from '../../../support/int-hop';

const HOP = { switchId: 1, portId: 2, txBytes: 5000, queueBytes: 800, capacity: 100e9 };
const INT_AT = 42;
const ADDRESS_2 = 0x0a00_0002;

function frames(): { readonly data: Packet; readonly ack: Packet } {
  const [sender, receiver] = [testHost(1), testHost(2)];
  sender.startFlow(0, flowTo(2, 0, 10_000));
  const data = pushHop(sender.pollTransmit(0) as Packet, { ...HOP, timestamp: 4_000_000 });
  receiver.handlePacket(0, data);
  return { data, ack: receiver.pollTransmit(0) as Packet };
}

const forger = (kinds: readonly Forgery[], more: object = {}): TelemetryForger =>
  new TelemetryForger(
    forgedTelemetrySchema.parse({ from: 's1', to: 'h2', forgeries: kinds, ...more }),
    new Random(1),
  );
const newestOf = ({ bytes }: Packet) => {
  const hops = readHops(parseIntMd(bytes, INT_AT) as IntMd, bytes, INT_AT);
  return hops.at(-1);
};

describe('a forger of telemetry', () => {
  const { data, ack } = frames();
  const truth = newestOf(data);

  test.each([
    ['overfull', 'txBytes'],
    ['capacity', 'capacity'],
    ['backwards', 'timestamp'],
    ['unknown-link', 'switchId'],
    ['congested', 'queueBytes'],
  ] as const)('that says %s changes %s and nothing else, in a sound frame', (kind, field) => {
    const [forged, ...others] = forger([kind]).pass(0, data);
    expect(others).toEqual([]);
    const found = newestOf(forged as Packet);
    expect(found?.[field]).not.toBe(truth?.[field]);
    expect({ ...found, [field]: 0 }).toEqual({ ...truth, [field]: 0 });
    const frame = parseFrame(forged as Packet, ADDRESS_2);
    expect((frame as ReceivedFrame).transport.sequence).toBe(0);
    expect(newestOf(data)).toEqual(truth);
  });

  test('that calls a link idle says that it never sent anything', () => {
    const [forged] = forger(['idle']).pass(0, data);
    expect(newestOf(forged as Packet)).toEqual({ ...truth, txBytes: 0, queueBytes: 0 });
  });

  test('finds the telemetry in acknowledgements too', () => {
    const [forged] = forger(['unknown-link']).pass(0, ack);
    expect((forged as Packet).bytes).not.toEqual(ack.bytes);
    expect(parseFrame(forged as Packet, 0x0a00_0001)).toHaveProperty('transport');
  });

  test('repeats earlier packets, which are others to whoever counts', () => {
    const repeating = forger(['replay']);
    const seen = [1, 2, 3].map((id) => repeating.pass(0, { ...data, id }));
    expect(seen.map((each) => each.map(({ id }) => id))).toEqual([
      ...[1, 2, 3].map((id) => [id, undefined]),
    ]);
    expect(repeating.forgeries).toBe(3);
  });

  test('leaves packets without telemetry alone, and all others outside of its time', () => {
    const plain = { bytes: data.bytes.slice(0, 42), length: 42 };
    plain.bytes[15] = 0;
    const late = forger(['capacity'], { fromUs: 5, toUs: 6 });
    expect(forger(['capacity']).pass(0, plain)).toEqual([plain]);
    expect(late.pass(4_999_999, data)).toEqual([data]);
    expect(late.pass(5_000_000, data)).not.toEqual([data]);
    expect(late.pass(6_000_000, data)).toEqual([data]);
  });

  test('chooses one of so many packets by chance', () => {
    const seldom = forger(['congested'], { oneIn: 4 });
    for (let i = 0; i < 4000; i++) seldom.pass(0, data);
    // Four standard errors of a binomial distribution.
    expect(Math.abs(seldom.forgeries - 1000)).toBeLessThan(4 * Math.sqrt(4000 * 0.25 * 0.75));
  });
});
