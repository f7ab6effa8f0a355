import { decodeFrame } from '../../../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../../../common/telemetry/decode/decode-settings';
import { WireFault } from '../../../../common/wire/fault';
import { HPCC_ACK, HPCC_DATA } from '../../../../common/wire/hpcc/hpcc-transport';
import { SIGNALS_OF_NOTHING } from '../../../../host-agent/algorithm/signals';
import { CARRIERS, newCarrier } from '../../../../host-agent/carrier/carriers';
import type { CarrierName } from '../../../../host-agent/carrier/carriers';
import { destinationPort } from '../../../../host-agent/carrier/peek';
import { SlabFrames } from '../../../../host-agent/transport/frames/frame-memory';
import { FrameTemplate, tailOf } from '../../../../host-agent/transport/frames/frame-template';
import {
  dataHeaderLength,
  prepareHeaders,
} from '../../../../host-agent/transport/frames/prepared-headers';
import { parseFrame } from '../../../../host-agent/transport/frames/received-frame';
import { addressOf, flowTo, macOf, testHost } from '../../../support/hosts';

const HOPS = 8;
const PAYLOAD = 100;

const carrierNamed = (name: CarrierName) =>
  newCarrier({ name }, { linkRate: 100e9, hopLimit: HOPS, asksSojourn: false });

const ADDRESSING = {
  sourceMac: macOf(1),
  destinationMac: macOf(2),
  sourcePort: 50_000,
  sourceAddress: addressOf(1),
  destinationAddress: addressOf(2),
  intHopLimit: HOPS,
};

/** A data frame as it leaves a host, in one piece. */
function dataFrame(name: CarrierName): Uint8Array {
  const template = new FrameTemplate(
    ADDRESSING,
    { type: HPCC_DATA, flowId: 7, generation: 3 },
    (common) => prepareHeaders(common, carrierNamed(name)),
  );
  const fields = { flags: 0, sequence: 5, length: PAYLOAD, identification: 9 };
  return template.emit(fields, new SlabFrames(), tailOf(new Uint8Array(PAYLOAD).fill(0xa5)));
}

describe.each(CARRIERS)('the frames of a host that speaks %s', (name) => {
  const carrier = carrierNamed(name);
  const bytes = dataFrame(name);
  const packet = { bytes, length: bytes.length };

  test('are read by another one, checksums included', () => {
    expect(bytes).toHaveLength(dataHeaderLength(carrier) + PAYLOAD);
    const frame = parseFrame(packet, addressOf(2), carrier);
    if ('reason' in frame) throw new Error(JSON.stringify(frame));
    expect(frame.transport).toMatchObject({ type: HPCC_DATA, flowId: 7, length: PAYLOAD });
    expect([frame.sourceAddress, frame.telemetryFault]).toEqual([addressOf(1), undefined]);
    expect(frame.transport.bodyAt).toBe(bytes.length - PAYLOAD);
    expect(destinationPort(carrier)(bytes)).toBe(50_002);
  });

  test('are refused when a bit of what UDP covers has changed', () => {
    const damaged = bytes.slice();
    damaged[bytes.length - 1] = 0xa4;
    const frame = parseFrame({ ...packet, bytes: damaged }, addressOf(2), carrier);
    expect(frame).toMatchObject({ reason: 'malformed' });
  });

  test('bring telemetry that is empty, whole, and goes back in few bytes', () => {
    const frame = parseFrame(packet, addressOf(2), carrier);
    if ('reason' in frame) throw new Error(JSON.stringify(frame));
    const { telemetryAt: at, telemetryLength: length } = frame;
    const echo = carrier.shorten?.(bytes, at, length) ?? bytes.subarray(at, at + length);
    expect(echo).toHaveLength(carrier.echoLength.fixed);
    const sample = carrier.newReader(5_000_000).read(echo, 0, echo.length);
    const isSummary = carrier.shows === 'summary';
    expect(sample).toMatchObject(isSummary ? { kind: 'load' } : { kind: 'links', telemetry: [] });
  });

  test('are acknowledged in frames of the same version of IP', () => {
    const [sender, receiver] = [
      testHost(1, { carrier: { name } }),
      testHost(2, { carrier: { name } }),
    ];
    sender.startFlow(0, flowTo(2, 0, 100));
    const data = sender.pollTransmit(0);
    if (data === undefined) throw new Error('nothing to send');
    receiver.handlePacket(0, data);
    const ack = receiver.pollTransmit(0);
    if (ack === undefined) throw new Error('no answer');
    const frame = parseFrame(ack, addressOf(1), carrier);
    expect(frame).toMatchObject({ transport: { type: HPCC_ACK, sequence: 100 } });
    sender.handlePacket(0, ack);
    expect(sender.pollEvent()).toMatchObject({ kind: 'flow-started' });
    expect(sender.pollEvent()).toMatchObject({ kind: 'flow-completed' });
  });
});

test.each([
  ['int', 'int'],
  ['ioam', 'ioam'],
  ['ifa', 'ifa'],
  ['csig', 'csig'],
] as const)('the decoder of captures finds %s as %s', (name, format) => {
  const bytes = dataFrame(name);
  const decoded = decodeFrame(bytes, bytes.length, DEFAULT_DECODE_SETTINGS, 'auto');
  if (decoded instanceof WireFault) throw new Error(decoded.toString());
  expect(decoded.telemetry.map((each) => each.format)).toContain(format);
  expect(decoded.telemetry.some((each) => 'fault' in each)).toBe(false);
});

describe('what a carrier cannot do', () => {
  test.each<[CarrierName, Parameters<typeof testHost>[1], string]>([
    [
      'ifa',
      { feedback: { asksSwitches: true } },
      'asked for by a flag of INT, not of carrier: ifa',
    ],
    ['padding', { feedback: { asksSojourn: true } }, 'sojourn is an instruction of INT, not of'],
    ['csig', { pathSelection: { paths: 2 } }, 'carrier: csig tells one signal of all'],
    [
      'csig',
      { measureBaseRtt: {} },
      'T is measured with records of links, and carrier: csig has none',
    ],
    [
      'csig',
      { feedback: { hidesLinks: true } },
      'makes a load of links, and carrier: csig has none',
    ],
    ['ioam', { intHopLimit: 13 }, 'hopLimit: 13 is more than the headers of carrier: ioam'],
    ['padding', { intHopLimit: 16 }, 'hopLimit: 16 is more than the headers of carrier: padding'],
    [
      'ifa',
      { signals: SIGNALS_OF_NOTHING },
      'no records of hops, so nothing would ask by carrier: ifa',
    ],
  ])('%s with %j', (name, config, sentence) => {
    expect(() => testHost(1, { ...config, carrier: { name } })).toThrow(sentence);
    expect(() => testHost(1, { carrier: { name } })).not.toThrow();
  });

  test('padding keeps no class', () => {
    const host = testHost(1, { carrier: { name: 'padding' } });
    const start = () => host.startFlow(0, { ...flowTo(2, 0, 100), dscp: 10 });
    expect(start).toThrow('padding takes the place of the DSCP and keeps none');
  });
});
