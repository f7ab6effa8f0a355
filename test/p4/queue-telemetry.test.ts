import { ProfileOnSwitch } from './support/profile-on-switch';
import { ROUTES } from './support/profile-set-ups';
import { frameOf } from './support/telemetry-packet';
import type { PortPacket } from '../../switch/stf/run/requests';

/** One packet in 1000 us per queue; packets of a burst arrive 1 us apart, from 1 s and 1 us on. */
const SET_UP = [...ROUTES, 'set_queue_rate 1000 2', 'add class_of_dscp dscp:10 set_class(queue:7)'];

const ETHERNET_IPV4_UDP_INT = 14 + 20 + 8 + 16;

interface WideHop {
  readonly sojournNs: number;
  readonly queue: number;
  readonly queueBytes: number;
  readonly timestampNs: bigint;
  readonly portBytes: number;
}

function wideHop({ bytes }: PortPacket): WideHop {
  const view = new DataView(bytes.buffer, bytes.byteOffset + ETHERNET_IPV4_UDP_INT, 40);
  return {
    sojournNs: view.getUint32(8),
    queue: view.getUint8(12),
    queueBytes: view.getUint32(12) & 0xffffff,
    timestampNs: view.getBigUint64(16),
    portBytes: view.getUint32(36),
  };
}

function packet(originalDscp: number, payloadBytes: number): PortPacket {
  const flags = { hops: 0, remainingHops: 5, flags: 0, dsFlags: 0 };
  const bytes = frameOf({
    family: 4,
    transport: 'udp',
    optionWords: 0,
    dscp: 0,
    telemetry: { set: 'wide', ...flags, originalDscp },
    payload: new Uint8Array(payloadBytes),
  });
  return { port: 1, bytes };
}

describe('the wide block of a switch with several queues', () => {
  test('tells the time in the own queue, and the bytes that wait in it and at the port', () => {
    const device = new ProfileOnSwitch('hpcc-queues', SET_UP.join('\n'));
    const [low, high, longLow, urgent] = [
      packet(0, 0),
      packet(10, 0),
      packet(0, 100),
      packet(10, 7),
    ];
    const out = device.through([low, high, longLow, low, urgent]);
    const start = 1_000_001_000n;
    const size = ({ bytes }: PortPacket): number => bytes.length;
    expect(out.map(wideHop)).toEqual([
      // The first packet of each queue finds nobody and leaves at once.
      { sojournNs: 0, queue: 0, queueBytes: 0, timestampNs: start, portBytes: 0 },
      { sojournNs: 0, queue: 7, queueBytes: 0, timestampNs: start + 1000n, portBytes: 0 },
      {
        sojournNs: 998_000,
        queue: 0,
        queueBytes: size(low),
        timestampNs: start + 1_000_000n,
        portBytes: size(low) + size(urgent),
      },
      {
        sojournNs: 997_000,
        queue: 7,
        queueBytes: 0,
        timestampNs: start + 1_001_000n,
        portBytes: size(low),
      },
      {
        sojournNs: 1_997_000,
        queue: 0,
        queueBytes: 0,
        timestampNs: start + 2_000_000n,
        portBytes: 0,
      },
    ]);
  });
});

describe('ECN between two thresholds', () => {
  test('is marked with a probability that rises with the queue', () => {
    const plain = packet(0, 100);
    const burst = 2000;
    const max = burst * plain.bytes.length;
    const red =
      'add ecn_threshold standard_metadata.egress_port:2 queue:0 ' +
      `mark_between(min_bytes:0, max_bytes:${max}, max_probability:65535)`;
    const device = new ProfileOnSwitch(
      'hpcc-queues',
      [...SET_UP, red, 'set_queue_depth 5000 2'].join('\n'),
    );
    const out = device.through(new Array<PortPacket>(burst).fill(plain));
    const isMarked = out.map(({ bytes }) => ((bytes[15] ?? 0) & 3) === 3);
    // The queue falls from full to empty: 3/4 of the first half are expected, 1/4 of the second.
    const share = (from: number, to: number): number =>
      isMarked.slice(from, to).filter(Boolean).length / (to - from);
    expect(share(1, burst / 2)).toBeCloseTo(0.75, 1);
    expect(share(burst / 2, burst)).toBeCloseTo(0.25, 1);
  });
});
