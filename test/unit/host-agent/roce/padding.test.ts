import { decodeFrame } from '../../../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../../../common/telemetry/decode/decode-settings';
import type { Packet } from '../../../../common/packet/packet';
import { WireFault } from '../../../../common/wire/fault';
import { KeyRing } from '../../../../host-agent/feedback/key-ring';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import type { RoceConfig } from '../../../../host-agent/roce/queue-pair/roce-config';
import { flowTo } from '../../../support/hosts';
import { pushPaddingRecord } from '../../../support/padding-hop';
import { PairDriver } from '../../../support/pair-driver';
import type { Side } from '../../../support/pair-driver';
import { asksForTelemetry, roceHost } from '../../../support/roce-hosts';
import { FLOW } from '../../../support/roce-peer';

const PADDING: Partial<RoceConfig> = { carrier: { name: 'padding' } };
const SIGNED: Partial<RoceConfig> = {
  ...PADDING,
  keyRing: new KeyRing(hmacSha256, 7, new Uint8Array(32).fill(3)),
};

/** Adds the record of an idle 100 Gb/s link to all that asks, in both directions. */
function paddingSwitch() {
  const sent = [0, 0];
  return (from: Side, packet: Packet, now: number): Packet => {
    if (!asksForTelemetry(packet)) return packet;
    const txUnits = Math.floor((sent[from] as number) / 128);
    sent[from] = (sent[from] as number) + packet.length;
    const record = { speedCode: 2, timestamp: Math.floor(now / 1000), txUnits, queueUnits: 0 };
    return pushPaddingRecord(packet, 0xa1, record);
  };
}

function run(given: Partial<RoceConfig>) {
  const hosts = [roceHost(1, given), roceHost(2, given)] as const;
  const driver = new PairDriver(hosts, { delay: 2e6, network: paddingSwitch() });
  hosts[0].startFlow(0, flowTo(2, FLOW, 1_000_000));
  driver.run(50e6);
  const sender = given.operation === 'read' ? hosts[1] : hosts[0];
  const { acksProcessed } = sender.flowMetrics(FLOW)?.congestion ?? {};
  const refused = hosts.map((host) => host.counters().telemetryRefused);
  expect(driver.run(1e12)).toBe(true);
  const kinds = driver.events[0].map(({ kind }) => kind);
  return { driver, acksProcessed, refused, kinds };
}

describe('RoCEv2 with the padding of HPCC', () => {
  test.each<[string, Partial<RoceConfig>]>([
    ['WRITE', PADDING],
    ['SEND', { ...PADDING, operation: 'send' }],
    ['READ', { ...PADDING, operation: 'read' }],
    ['signed WRITE', SIGNED],
    ['signed READ', { ...SIGNED, operation: 'read' }],
    ['probes', { ...PADDING, feedback: { collectBy: 'probe' } }],
    ['signed probes', { ...SIGNED, feedback: { collectBy: 'probe' } }],
  ])('is controlled by its records: %s', (_, given) => {
    const { acksProcessed, refused, kinds } = run(given);
    expect(acksProcessed).toBeGreaterThan(3);
    expect(refused).toEqual([0, 0]);
    expect(kinds).toContain('flow-completed');
  });

  test('has it between UDP and BTH, and behind the AETH of acknowledgements', () => {
    const { driver } = run(PADDING);
    const [data, ack] = [0, 1].map(
      (side) => driver.sent.find(({ from }) => from === side)?.packet as Packet,
    );
    // No record yet, and the first packet of a WRITE.
    expect([...(data?.bytes.subarray(42, 45) ?? [])]).toEqual([0, 0, 0x06]);
    expect(ack?.bytes[42]).toBe(0x11);
    // Ten bytes of one record, and two that fill the last word.
    expect(ack?.length).toBe(42 + 12 + 4 + 10 + 2 + 4);
    expect((ack?.bytes[43] as number) & 0x30).toBe(0x20);
  });

  test('is read by hpcc decode, in data and behind acknowledgements', () => {
    const { driver } = run(SIGNED);
    const [data, ack] = [0, 1].map(
      (side) => driver.sent.find(({ from }) => from === side)?.packet as Packet,
    ) as [Packet, Packet];
    const record = { speedCode: 2, timestamp: 9, txUnits: 8, queueUnits: 7 };
    const lines = [pushPaddingRecord(data, 0xa1, record), ack].map(({ bytes, length }) => {
      const found = decodeFrame(bytes, length, DEFAULT_DECODE_SETTINGS, 'auto');
      return found instanceof WireFault ? [] : found.telemetry;
    });
    const padding = { format: 'padding', details: { pathId: '0x0a1' }, hops: [{}] };
    expect(lines[0]).toMatchObject([padding]);
    expect(lines[1]).toMatchObject([{ format: 'roce', details: { authKeyId: 7 } }, padding]);
  });

  test('keeps no class, so flows have none', () => {
    const host = roceHost(1, PADDING);
    expect(() => host.startFlow(0, { ...flowTo(2, FLOW, 1000), dscp: 8 })).toThrow(
      'padding takes the place of the DSCP and keeps none',
    );
  });
});
