import type { HopRecord } from '../../../../common/hop/hop';
import type { Packet } from '../../../../common/packet/packet';
import { Random } from '../../../../common/random/random';
import { emitHops, emitIntMdSource } from '../../../../common/wire/int/int-md';
import { VirtualTime } from '../../../../emulator/kernel/virtual-time';
import { LinkRows } from '../../../../emulator/network/link-rows';
import { Channel } from '../../../../emulator/network/channel';
import type { HostNode } from '../../../../emulator/node/host-node';
import type { SwitchNode } from '../../../../emulator/node/switch-node';
import { INT_CARRIER } from '../../../../host-agent/carrier/int-carrier';
import { HostFrames } from '../../../../emulator/record/host-frames';
import {
  InvariantChecker,
  linkViolations,
  violationTexts,
} from '../../../../emulator/record/invariants';

const INT_AT = 42;
const TRANSPORT_AT = INT_AT + 16;
const HOP_LIMIT = 8;
const PORT = 3;
/** In ps; switches report 7000 ns. */
const START = 7_000_999;

function newChecker(queueRounding: 'queue' | 'packet' = 'queue'): InvariantChecker {
  let instant = 0;
  return new InvariantChecker({
    now: () => instant++,
    segmentBytes: 1000,
    queueUnitBytes: 32,
    queueRounding,
    txUnitBytes: 128,
    hopLimit: HOP_LIMIT,
    nodeIds: new Map([['s1', 5]]),
    classedSwitches: new Set(['classed']),
    trimmingSwitches: new Set(),
    frames: new HostFrames(INT_CARRIER),
  });
}

const violationsOf = ({ reports, omitted }: InvariantChecker): string[] =>
  violationTexts(reports, omitted);

/** A frame with the DSCP of INT, `hops` in its stack. */
function intFrame(hops: readonly HopRecord[], id: number): Packet {
  const bytes = new Uint8Array(TRANSPORT_AT + 32 * hops.length + 20);
  bytes[15] = 0x17 << 2;
  const source = { remainingHops: HOP_LIMIT - hops.length, originalDscp: 0 };
  emitIntMdSource(source, bytes, INT_AT);
  emitHops(hops, bytes, INT_AT);
  return { bytes, length: 1100, id };
}

/** A switch of which the checker asks what it needs: 70 bytes of two packets wait, the link has 100 Gb/s. */
const node = (name = 's1'): SwitchNode =>
  ({
    name,
    channel: () => ({ rate: 100e9 }),
    device: { queueBytes: () => 70, priorityQueueBytes: () => 70, queuePackets: () => 2 },
  }) as unknown as SwitchNode;

const TRUE_HOP: HopRecord = {
  switchId: 5,
  portId: PORT,
  timestamp: 7000,
  timestampModulus: 2 ** 48,
  txBytes: 0,
  txBytesModulus: 2 ** 48,
  // 70 bytes are two whole cells of 32.
  queueBytes: 64,
  capacity: 100e9,
};

/** Reports for packets that arrive and leave in the given order, each with these hops. */
function reportsOf(
  packets: readonly Packet[],
  departures = packets,
  checker = newChecker(),
): readonly string[] {
  for (const packet of packets) checker.switchReceived(node(), packet, 0);
  for (const packet of departures) checker.switchTransmitted(node(), START, PORT, packet);
  return violationsOf(checker);
}

describe('telemetry in a packet that leaves a switch', () => {
  test('is accepted if it says what the ledger knows, and counted', () => {
    const checker = newChecker();
    const packet = intFrame([TRUE_HOP], 1);
    checker.switchReceived(node(), packet, 0);
    checker.switchTransmitted(node(), START, PORT, packet);
    expect(violationsOf(checker)).toEqual([]);
    expect(checker.telemetryRecords).toBe(1);
  });

  test.each([
    ['switchId', 6, 5],
    ['portId', 4, PORT],
    ['timestamp', 7001, 7000],
    ['txBytes', 128, 0],
    ['queueBytes', 70, 64],
    ['capacity', 25e9, 100e9],
  ] as const)('is reported if its %s is wrong', (field, said, known) => {
    const found = reportsOf([intFrame([{ ...TRUE_HOP, [field]: said }], 1)]);
    expect(found).toEqual([
      `${START} ps: s1 port ${PORT}: telemetry has ${field} ${said}, the ledger ${known}`,
    ]);
  });

  test.each([
    [64, 96],
    [96, undefined],
    [128, undefined],
    [160, undefined],
    [192, 160],
    [100, 96],
  ])('may count %i bytes where each of two packets has cells of its own', (said, instead) => {
    const packets = [intFrame([{ ...TRUE_HOP, queueBytes: said }], 1)];
    const found = reportsOf(packets, packets, newChecker('packet'));
    const fault = `${START} ps: s1 port ${PORT}: telemetry has queueBytes ${said}, the ledger ${instead}`;
    expect(found).toEqual(instead === undefined ? [] : [fault]);
  });

  test('counts bytes before the packet, in whole units', () => {
    const first = intFrame([TRUE_HOP], 1);
    // 1100 bytes are 8 units of 128.
    expect(reportsOf([first, intFrame([{ ...TRUE_HOP, txBytes: 1024 }], 2)])).toEqual([]);
    expect(reportsOf([first, intFrame([{ ...TRUE_HOP, txBytes: 1100 }], 2)])).toHaveLength(1);
  });

  test('is not looked for where no switch has pushed any', () => {
    const checker = newChecker();
    checker.switchTransmitted(node(), START, PORT, { ...intFrame([], 1) });
    expect(checker.telemetryRecords).toBe(0);
  });
});

describe('the order of packets', () => {
  const hops = [TRUE_HOP];
  const frames = [1, 2].map((id) => intFrame(hops, id));

  test('is that of their arrival at each port', () => {
    const [first, second] = frames as [Packet, Packet];
    const ofOrder = (found: readonly string[]) => found.filter((each) => /overtook/.test(each));
    expect(ofOrder(reportsOf([first, second], [first, second]))).toEqual([]);
    expect(ofOrder(reportsOf([first, second], [second, first]))).toEqual([
      `s1 port ${PORT}: packet 1 overtook an earlier one`,
    ]);
  });

  test('is that of each class where ports have queues by class', () => {
    const checker = newChecker();
    const classed = node('classed');
    const plain = (id: number, dscp: number): Packet => {
      const bytes = new Uint8Array(80);
      bytes[15] = dscp << 2;
      return { bytes, length: 80, id };
    };
    const [low, high, late] = [plain(1, 0), plain(2, 46), plain(3, 0)];
    for (const packet of [low, high, late]) checker.switchReceived(classed, packet, 0);
    for (const packet of [high, low]) checker.switchTransmitted(classed, START, PORT, packet);
    expect(violationsOf(checker)).toEqual([]);
    const other = newChecker();
    for (const packet of [low, late]) other.switchReceived(classed, packet, 0);
    for (const packet of [late, low]) other.switchTransmitted(classed, START, PORT, packet);
    expect(violationsOf(other)).toEqual([`classed port ${PORT}: packet 1 overtook an earlier one`]);
  });

  test('is not asked of packets that came nowhere', () => {
    expect(reportsOf([], [intFrame(hops, 9)])).toEqual([
      `s1 port ${PORT}: packet 9 overtook an earlier one`,
    ]);
    const { bytes, length } = intFrame(hops, 9);
    expect(reportsOf([], [{ bytes, length }])).toEqual([]);
  });
});

describe('the window of a flow', () => {
  const host = (inflightBytes: number, windowBytes: number): HostNode =>
    ({
      name: 'h1',
      agent: {
        flowMetrics: () => ({ inflightBytes }),
        windowLeft: (flow: number) =>
          flow === 0x0102 ? Math.max(windowBytes, 0) - inflightBytes : undefined,
      },
    }) as unknown as HostNode;
  const data = (type: number): Packet => {
    const packet = intFrame([], 1);
    const head = new Uint8Array(16);
    head.set([type, 0, 0, 0, 0, 0, 0, 1, 2]);
    const bytes = new Uint8Array(TRANSPORT_AT + head.length);
    bytes.set(packet.bytes.subarray(0, TRANSPORT_AT));
    bytes.set(head, TRANSPORT_AT);
    return { ...packet, bytes };
  };
  const DATA = 0x31;

  test.each([
    [6000, 5000, []],
    [6001, 5000, ['9 ps: h1 flow 258: 6001 bytes in flight, limit 6000']],
    [1001, -3, ['9 ps: h1 flow 258: 1001 bytes in flight, limit 1000']],
  ])('may be exceeded by a segment: %d bytes of %d', (inflight, window, expected) => {
    const checker = newChecker();
    checker.hostSent(host(inflight, window), data(DATA), 9);
    expect(violationsOf(checker)).toEqual(expected);
  });

  test('is asked for when data leaves only', () => {
    const checker = newChecker();
    checker.hostSent(host(9000, 1), data(0x32), 9);
    expect(violationsOf(checker)).toEqual([]);
  });
});

describe('what is delivered', () => {
  const delivery = (sequence: number, length: number, flow = 1) => ({
    sourceAddress: 10,
    flow,
    sequence,
    length,
    stored: new Uint8Array(0),
  });

  test('comes once and in order, for each flow by itself', () => {
    const checker = newChecker();
    checker.delivered('h1', delivery(0, 100));
    checker.delivered('h1', delivery(0, 50, 2));
    checker.delivered('h2', delivery(0, 50));
    checker.delivered('h1', delivery(100, 100));
    expect(violationsOf(checker)).toEqual([]);
    checker.delivered('h1', delivery(100, 100));
    expect(violationsOf(checker)).toEqual(['10 flow 1 at h1: delivered byte 100, expected 200']);
  });

  test('is reported twenty times at most, and then counted', () => {
    const checker = newChecker();
    for (let i = 0; i < 20; i++) checker.report(`law ${i}`);
    expect(violationsOf(checker)).toHaveLength(20);
    checker.report('one');
    checker.report('another');
    expect(violationsOf(checker).slice(19)).toEqual(['law 19', 'and 2 more']);
  });
});

test('reports of several parts of a network come in order of time, twenty at most', () => {
  const part = (first: number) =>
    Array.from({ length: 15 }, (_, i) => ({ at: first + 2 * i, text: `law ${first + 2 * i}` }));
  const texts = violationTexts([...part(1), ...part(0)], 3);
  expect(texts.slice(0, 3)).toEqual(['law 0', 'law 1', 'law 2']);
  expect(texts.slice(19)).toEqual(['law 19', 'and 13 more']);
});

describe('the ledger of a link', () => {
  test('has to add up, with what is on its way', () => {
    const time = new VirtualTime({ queueOf: () => '', lookahead: Infinity, period: 1 });
    const end = (name: string) => ({ node: { name, receive: () => undefined }, port: 1 });
    const channel = new Channel({
      ledger: new LinkRows(1).add(),
      queue: time.queueOf('b'),
      source: time.queueOf('b').newSource(),
      from: end('a'),
      to: end('b'),
      rate: 1e9,
      delay: 10,
      lossRate: 0,
      random: new Random(1),
    });
    channel.send({ bytes: new Uint8Array(14), length: 100 }, 0, Float64Array.of(800_000));
    const ended = () => ({
      name: channel.name,
      ledger: channel.ledger,
      bytesOnTheWay: channel.bytesOnTheWay,
    });
    expect(linkViolations([ended()])).toEqual([]);
    channel.ledger.noteSent(7, 0, Float64Array.of(800_000));
    expect(linkViolations([ended()])).toEqual(['a:1->b:1: 7 bytes appeared or vanished']);
  });
});
