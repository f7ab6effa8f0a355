import { UDP_PACKET, frameOf } from './support/int-v2-packet';
import { NODE_SET_UP } from './support/int-v2-cases';
import { ProfileOnSwitch } from './support/profile-on-switch';

/** Clock, latency and utilisation of a node whose clock goes, where other packet tests have it stand still. */
const WATCH =
  'add watch_ipv4 1 protocol:17 add_int_md(carrier:1, instructions:0x2d00, domain_id:0, ' +
  'ds_instructions:0, hop_words:6, max_hops:5, discard:0, interval:1, slot:0)';
/** Windows of 2^4 units; a byte is worth 3 units of the utilisation. */
const SHIFT = 4;
const SCALE = 3 * 2 ** 24;
const SET_UP = [
  ...NODE_SET_UP.map((line) => line.replace('clock_unit_ns:0', 'clock_unit_ns:1')).filter(
    (line) => !line.includes('utilization_scale'),
  ),
  `add utilization_scale standard_metadata.egress_port:2 set_utilization_scale(scale:${SCALE}, shift:${SHIFT})`,
  WATCH,
].join('\n');

const BLOCK = 14 + 20 + 8 + 16;

const frame = frameOf(UDP_PACKET, { ttl: 64, destination: 2 });

interface Told {
  readonly latency: number;
  readonly ingress: bigint;
  readonly egress: bigint;
  readonly utilization: number;
  readonly length: number;
}

function told(bytes: Uint8Array): Told {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    latency: view.getUint32(BLOCK),
    ingress: view.getBigUint64(BLOCK + 4),
    egress: view.getBigUint64(BLOCK + 12),
    utilization: view.getUint32(BLOCK + 20),
    length: bytes.length,
  };
}

test('latency is the time between both timestamps, which go on', () => {
  const device = new ProfileOnSwitch('int-v2', SET_UP);
  const burst = Array.from({ length: 20 }, () => ({ port: 1, bytes: frame }));
  const hops = device.through(burst).map(({ bytes }) => told(bytes));
  expect(hops).toHaveLength(20);
  for (const { latency, ingress, egress } of hops) expect(BigInt(latency)).toBe(egress - ingress);
  const times = hops.map(({ egress }) => Number(egress));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(times).size).toBe(20);
});

test('utilisation is that of the last whole window, and 0 after a pause', () => {
  const device = new ProfileOnSwitch('int-v2', SET_UP);
  const burst = Array.from({ length: 60 }, () => ({ port: 1, bytes: frame }));
  const hops = [...device.through(burst), ...device.through(burst)].map(({ bytes }) => told(bytes));
  const sent = new Map<number, number>();
  for (const { egress, utilization, length } of hops) {
    const window = Number(egress >> BigInt(SHIFT));
    expect(utilization).toBe(3 * (sent.get(window - 1) ?? 0));
    sent.set(window, (sent.get(window) ?? 0) + length);
  }
  expect(sent.size).toBeGreaterThan(3);
});
