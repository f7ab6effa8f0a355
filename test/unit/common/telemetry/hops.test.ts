import { isHopRecord, wrappedDifference } from '../../../../common/hop/hop';
import type { CarrierHop, HopTelemetry } from '../../../../common/hop/hop';
import { DEFAULT_HOP_UNITS } from '../../../../common/hop/hop-units';
import type { HopUnits } from '../../../../common/hop/hop-units';
import { ifa1Hops, ifaHops } from '../../../../common/telemetry/ifa-hops';
import { intStackHops, reportHops } from '../../../../common/telemetry/int-hops';
import { ioamHops } from '../../../../common/telemetry/ioam-hops';
import { ns3Hops, paddingHops } from '../../../../common/telemetry/compact-hops';
import { compactResponseHop, responseHop } from '../../../../common/telemetry/compact-hops';
import { COMPACT_RESPONSE } from '../../../../common/wire/roce/cnp';
import { WireFault } from '../../../../common/wire/fault';
import { parseHpccPadding } from '../../../../common/wire/hpcc/hpcc-padding';
import { parseIfa1 } from '../../../../common/wire/ifa/ifa1';
import { parseIfaMetadata } from '../../../../common/wire/ifa/ifa2';
import { parseIntHead } from '../../../../common/wire/int/int-packet';
import { parseIoamTrace } from '../../../../common/wire/ioam/ioam-trace';
import { parseNs3Int } from '../../../../common/wire/hpcc/ns3-int-header';
import { parseTelemetryReport } from '../../../../common/wire/int/telemetry-report';
import { parseTelemetryResponse } from '../../../../common/wire/roce/telemetry-messages';
import { fromHex } from '../../../support/hex';
import { examplesOf } from '../../../support/wire/examples';
import { VECTORS } from '../../../support/wire/vectors';

const UNITS = DEFAULT_HOP_UNITS;

function read<T extends object>(parsed: T | WireFault): T {
  if (parsed instanceof WireFault) throw new Error(parsed.toString());
  return parsed;
}

/** The last part of a worked example. */
function vector(name: string): Uint8Array {
  const parts = VECTORS.find((candidate) => candidate.name === name)?.parts ?? [];
  return fromHex(parts[parts.length - 1]?.hex ?? '');
}

const ioam = (hex: string, units: Partial<HopUnits> = {}): HopTelemetry[] => {
  const bytes = fromHex(hex);
  return ioamHops(read(parseIoamTrace(bytes, 0, bytes.length)), { ...UNITS, ...units });
};

const intHops = (bytes: Uint8Array, units: HopUnits): HopTelemetry[] =>
  intStackHops(bytes, read(parseIntHead(bytes, 0, bytes.length)), units);

const int = (hex: string, units: Partial<HopUnits> = {}): HopTelemetry[] =>
  intHops(fromHex(hex), { ...UNITS, ...units });

/** Node id 1, egress port 0x11, queue 3, 1700000000.500001200 s, 78187493504 bytes, 1200 queued. */
const SAME_HOP: [string, HopTelemetry[], HopTelemetry][] = [
  [
    'HPCC padding',
    paddingHops(read(parseHpccPadding(vector('same hop, HPCC padding'), 0))),
    {
      // 1700000000500001200 mod 2^24, and 78187493504 / 128 mod 2^20 in units of 128.
      timestamp: 16214448,
      timestampModulus: 2 ** 24,
      txBytes: 568561 * 128,
      txBytesModulus: 134217728,
      queueBytes: 1200,
      capacity: 100e9,
    },
  ],
  [
    'HPCC padding of the simulator',
    ns3Hops(read(parseNs3Int(vector('same hop, ns-3'), 0))),
    {
      timestamp: 16214448,
      timestampModulus: 2 ** 24,
      txBytes: 568561 * 128,
      txBytesModulus: 134217728,
      queueBytes: 1200,
      capacity: 100e9,
    },
  ],
  [
    'INT-MD of our domain',
    intHops(vector('same hop, INT-MD HP profile'), UNITS),
    {
      switchId: 1,
      portId: 0x11,
      ingressPortId: 3,
      queueId: 3,
      timestamp: 0x9cfe53f769b0,
      timestampModulus: 2 ** 48,
      txBytes: 78187493504,
      txBytesModulus: 2 ** 48,
      queueBytes: 1200,
      capacity: 100e9,
    },
  ],
  [
    'INT-MD of the informational draft',
    intHops(vector('same hop, INT-MD hpcc-info'), UNITS),
    {
      switchId: 1,
      portId: 0x11,
      ingressPortId: 0,
      queueId: 3,
      timestamp: 0x9cfe53f769b0,
      timestampModulus: 2 ** 48,
      queueBytes: 1200,
      utilization: 0.998,
    },
  ],
  [
    'IOAM',
    ioam('007b2800d2080000' + '3f000001000300111dcd69b0000004b034567880'),
    {
      switchId: 1,
      portId: 0x11,
      ingressPortId: 3,
      timestamp: 500001200,
      timestampModulus: 1e9,
      queueBytes: 1200,
      // 78187493504 mod 2^32
      txBytes: 878082176,
      txBytesModulus: 2 ** 32,
    },
  ],
  [
    'IFA 2',
    ifaHops(read(parseIfaMetadata(vector('same hop, IFA 2 hpcc-info'), 0)), UNITS),
    {
      switchId: 1,
      portId: 0x11,
      ingressPortId: 3,
      queueId: 0,
      // Seconds mod 2^20; 500000000 ns of reception and 1200 ns of residence.
      timestamp: 258304 * 1e9 + 500001200,
      timestampModulus: 2 ** 20 * 1e9,
      txBytes: 878082176,
      txBytesModulus: 2 ** 32,
      queueBytes: 1200,
      capacity: 100e9,
    },
  ],
];

describe('the same hop', () => {
  test.each(SAME_HOP)('of %s is the same record as far as the format goes', (_name, hops, hop) => {
    expect(hops.map((each: CarrierHop) => ({ ...each, fields: undefined }))).toEqual([hop]);
  });

  test.each([
    ['INT-MD of our domain', true],
    ['INT-MD of the informational draft', false],
    ['IOAM', false],
    ['IFA 2', true],
    ['HPCC padding', false],
  ])('of %s has all that HPCC++ needs: %s', (name, complete) => {
    const [, hops] = SAME_HOP.find(([candidate]) => candidate === name) ?? [];
    expect(hops?.map(isHopRecord)).toEqual([complete]);
  });
});

describe('hops', () => {
  test.each([
    ['INT-A after hop 2', 'int-packet', (b: Uint8Array) => intHops(b, UNITS)],
    ['INFO-IFA', 'ifa-metadata', (b: Uint8Array) => ifaHops(read(parseIfaMetadata(b, 0)), UNITS)],
  ] as const)('of %s are in path order', (name, codec, hopsOf) => {
    const parts = VECTORS.find((candidate) => candidate.name === name)?.parts ?? [];
    const hex = parts.find((part) => part.codec === codec)?.hex ?? '';
    expect(hopsOf(fromHex(hex)).map(({ switchId }) => switchId)).toEqual([1, 2]);
  });

  test('of two samples give a rate although both counters wrapped (PAD-W)', () => {
    const [first] = paddingHops(read(parseHpccPadding(vector('PAD-W first sample'), 0)));
    const [second] = paddingHops(read(parseHpccPadding(vector('PAD-W second sample'), 0)));
    const since = (key: 'timestamp' | 'txBytes', modulus: number): number =>
      wrappedDifference(second?.[key] ?? NaN, first?.[key] ?? NaN, modulus);
    expect(since('timestamp', 2 ** 24)).toBe(512);
    expect(since('txBytes', 2 ** 27)).toBe(4096);
    // 4096 bytes in 512 ns are 64 Gb/s.
    expect((4096 * 8) / 512).toBe(64);
  });

  test('of the simulator are none after more hops than slots', () => {
    expect(ns3Hops(read(parseNs3Int(vector('PAD-2 six hops'), 0)))).toEqual([]);
  });

  test.each([
    ['ptp', 500001200, 500001200],
    ['posix', 500001, 500001000],
    // 2^31 / 2^32 s
    ['ntp', 2 ** 31, 500000000],
  ] as const)('of IOAM count fractions in the format %s', (ioamFraction, fraction, nanoseconds) => {
    const hex = '007b080010000000' + fraction.toString(16).padStart(8, '0');
    expect(ioam(hex, { ioamFraction })).toMatchObject([
      { timestamp: nanoseconds, timestampModulus: 1e9 },
    ]);
  });

  test('of IOAM with seconds wrap after 2^22 seconds', () => {
    // 2^22 + 5 seconds
    const [hop] = ioam('007b100030000000' + '0040000500000007');
    expect(hop).toMatchObject({ timestamp: 5e9 + 7, timestampModulus: 2 ** 22 * 1e9 });
  });

  test('of IOAM lack what a node marks as not available', () => {
    expect(ioam('007b2800d2080000' + 'ff'.repeat(20))).toEqual([{}]);
  });

  test('of INT lack what a node marks as not available', () => {
    expect(int('100b000020000804d4004850c0000000' + 'ff'.repeat(32))).toEqual([{}]);
  });

  test('of INT v1.0 have timestamps of 32 bits', () => {
    // Bits 0 and 5; one block.
    expect(int('01000500' + '1000020684000000' + '0000000a' + '00000064')).toEqual([
      { switchId: 10, timestamp: 100, timestampModulus: 2 ** 32 },
    ]);
  });

  test('of INT take ids of 32 bits where there are no others, and 32-bit queues', () => {
    // Bits 0 and 6; domain bits 0 and 2: txBytes and queue length.
    const block = '00000001' + '0001000000020000' + '0000000000000040' + '00001000';
    expect(int('1009000020000604820048' + '50a0000000' + block)).toEqual([
      {
        switchId: 1,
        ingressPortId: 0x10000,
        portId: 0x20000,
        txBytes: 64,
        txBytesModulus: 2 ** 48,
        queueBytes: 4096,
        fields: { ingressPortId2: 0x10000, egressPortId2: 0x20000 },
      },
    ]);
  });

  test('of INT are in the units and capacities that were agreed upon', () => {
    const hex = '1007000020000404b4000000' + '00000000' + '00000001' + '00000005' + '03000002';
    const units = { queueUnit: 80, capacityOf: () => 25e9 };
    const [hop] = int(hex.replace('1007', '1006').replace('0404b4', '0304b0'), units);
    const fields = { hopLatencyNs: 5 };
    expect(hop).toEqual({ switchId: 1, queueId: 3, queueBytes: 160, capacity: 25e9, fields });
  });

  test('of IFA 1 carry a transmit time below that of reception into the next second', () => {
    const [example] = examplesOf('ifa1');
    const ifa = read(parseIfa1(example ?? new Uint8Array(), 0));
    const [record] = ifa.records;
    if (record === undefined) throw new Error('the example has a record');
    const late = { ...record, rxNanoseconds: 999_999_999, txNanoseconds: 5 };
    const seconds = record.rxSeconds % 2 ** 22;
    const [before, after] = ifa1Hops({ ...ifa, records: [late, record] }, UNITS);
    expect(before?.timestamp).toBe(seconds * 1e9 + record.txNanoseconds);
    expect(after?.timestamp).toBe((seconds + 1) * 1e9 + 5);
    expect(before).toMatchObject({ switchId: 0xa1, portId: 0x11, txBytes: 0x1234567880 });
  });

  test('of a report are named by its group', () => {
    const [hop] = reportHops(read(parseTelemetryReport(vector('INT-R'), 0)), UNITS);
    expect(hop).toMatchObject({
      switchId: 1,
      portId: 0x11,
      txBytes: 0x1234567880,
      capacity: 100e9,
    });
  });

  test('of responses are those that the receiver chose', () => {
    const [body] = examplesOf('telemetry-response');
    const hop = responseHop(read(parseTelemetryResponse(body ?? new Uint8Array(), 0)));
    expect(hop).toMatchObject({ switchId: 1, portId: 0x11, queueBytes: 1200, capacity: 100e9 });
    expect(compactResponseHop(read(COMPACT_RESPONSE.parse(vector('P3'), 0)))).toEqual({
      switchId: 1,
      portId: 0x11,
      timestamp: 0x362a0000,
      timestampModulus: 2 ** 32,
      txBytes: 0x2468acf1 * 128,
      txBytesModulus: 2 ** 39,
      queueBytes: 1200,
      capacity: 100e9,
    });
  });
});
