import { generatedExecutors } from '../../../../../switch/codegen/generated-executor';
import { copyTail } from '../../../../../switch/codegen/runtime/packet-bytes';
import { PreparedCalls } from '../../../../../switch/codegen/runtime/calls';
import { PacketPool } from '../../../../../switch/executor/packet-pool';
import { SlabMemory } from '../../../../../switch/executor/slab-memory';
import { bench } from '../../support/run';
import { acceptState, extract } from '../../support/program';
import type { GeneratedPacket } from '../../../../../switch/codegen/runtime/generated-packet';
import type { ProgramSpec } from '../../support/program';

const WIDE: ProgramSpec = {
  metadata: [
    ['narrow', 9],
    ['middle', 48],
    ['pair', 64],
    ['wide', 128],
    ['negative', 16, true],
  ],
  types: { byte_t: [['value', 8]] },
  headers: [['byte', 'byte_t']],
  states: [acceptState('start', [extract('byte')])],
};

function fresh(): {
  packet: GeneratedPacket;
  other: GeneratedPacket;
  slot: (name: string) => number;
} {
  const { program, state } = bench(generatedExecutors(), WIDE);
  const executor = generatedExecutors()({ program, state, dropPort: 511 });
  const [packet, other] = [executor.createState(), executor.createState()];
  packet.reset({ bytes: Uint8Array.from([7, 8]), length: 2 });
  other.reset({ bytes: new Uint8Array(0), length: 0 });
  return { packet, other, slot: (name) => program.fields.get(`m.${name}`)?.slot ?? -1 };
}

describe('the state of a packet', () => {
  test.each([
    ['narrow', 511n],
    ['middle', 2n ** 48n - 1n],
    ['pair', 0xfedcba9876543210n],
    ['wide', 2n ** 128n - 5n],
    ['negative', -5n],
  ])('keeps the field %s exactly', (name, value) => {
    const { packet, slot } = fresh();
    packet.writeField(slot(name), value);
    expect(packet.readField(slot(name))).toBe(value);
    packet.clearMetadata();
    expect(packet.readField(slot(name))).toBe(0n);
  });

  test('reads and writes metadata as numbers', () => {
    const { packet, slot } = fresh();
    packet.writeMetadata(slot('narrow'), 5);
    packet.writeMetadata(slot('middle'), 2 ** 47);
    expect(packet.readMetadata(slot('narrow'))).toBe(5);
    expect(packet.readMetadata(slot('middle'))).toBe(2 ** 47);
  });

  test('becomes a copy of another, without its requests', () => {
    const { packet, other, slot } = fresh();
    packet.writeField(slot('pair'), 3n);
    packet.writeField(slot('wide'), 4n);
    packet.requests.digest = 1;
    packet.now = 99;
    packet.packetLength = 55;
    other.requests.resubmit = 2;
    other.copyFrom(packet);
    expect([other.readField(slot('pair')), other.readField(slot('wide'))]).toEqual([3n, 4n]);
    expect([other.bytes, other.now, other.packetLength]).toEqual([packet.bytes, 99, 55]);
    expect([other.requests.digest, other.requests.resubmit]).toEqual([0, 0]);
  });
});

describe('prepared calls', () => {
  const parameters = [8, 48, 64, 128].map((width) => ({ name: `p${width}`, width }));
  const actions = { action: () => ({ id: 1, name: 'a', parameters }) };
  const values = [7n, 2n ** 40n, 0xfedcba9876543210n, 2n ** 100n];

  test('hold numbers, words of pairs and bigints by parameter', () => {
    const prepared = new PreparedCalls(actions).of({ actionId: 1, arguments: values });
    expect([...prepared.numbers].slice(0, 6)).toEqual([7, 0, 2 ** 40, 0, 0xfedcba98, 0x76543210]);
    expect(prepared.bigints[3]).toBe(2n ** 100n);
  });

  test('are made once per call', () => {
    const calls = new PreparedCalls(actions);
    const [a, b] = [7n, 8n].map((value) => ({ actionId: 1, arguments: [value] }));
    if (a === undefined || b === undefined) throw new Error('two calls');
    const first = calls.of(a);
    expect(calls.of(b).numbers[0]).toBe(8);
    expect(calls.of(a)).toBe(first);
  });
});

describe('the bytes of a packet', () => {
  test('never overlap, however many packets there are', () => {
    const memory = new SlabMemory();
    const packets = Array.from({ length: 3000 }, (_, i) => memory.take(40).fill(i & 0xff));
    packets.forEach((bytes, i) => expect([bytes[0], bytes[39]]).toEqual([i & 0xff, i & 0xff]));
    expect(memory.take(100_000)).toHaveLength(100_000);
  });

  test.each([1, 40, 100_000])('lie where the memory of %i bytes says', (length) => {
    const memory = new SlabMemory();
    memory.take(7);
    const bytes = memory.take(length);
    memory.view.setUint8(memory.start + length - 1, 0xab);
    expect([bytes.length, bytes[length - 1]]).toEqual([length, 0xab]);
  });

  const LENGTHS = [0, 1, 12, 13, 1500];

  test.each(LENGTHS.flatMap((length) => [0, 1, 2, 3].map((headers) => [headers, length] as const)))(
    'end, behind %i of headers, with the %i that were not parsed',
    (headers, length) => {
      const { packet } = fresh();
      const tail = Uint8Array.from({ length }, (_, i) => i & 0xff);
      packet.reset({ bytes: Uint8Array.from([1, 2, ...tail]), length: length + 2 });
      packet.offset = 2;
      const out = new Uint8Array(headers + length);
      copyTail(packet, out, 0, out.length);
      expect([...out.subarray(headers)]).toEqual([...tail]);
    },
  );

  test.each([3, 20])(
    'do not touch what lies before the room, with %i that were not parsed',
    (length) => {
      const { packet } = fresh();
      packet.reset({
        bytes: Uint8Array.from([1, 2, ...new Uint8Array(length).fill(7)]),
        length: 99,
      });
      packet.offset = 2;
      const out = new Uint8Array(100).fill(9);
      copyTail(packet, out, 60, 61 + length);
      expect([...out.subarray(0, 60)]).toEqual(new Array(60).fill(9));
      expect([...out.subarray(61, 61 + length)]).toEqual(new Array(length).fill(7));
    },
  );

  test('stay in their row, and headers grow before them', () => {
    const { packet } = fresh();
    const pool = new PacketPool();
    const sent = pool.copyOf({ bytes: Uint8Array.of(1, 2, 3, 4), length: 4 });
    packet.reset(sent);
    packet.offset = packet.start + 1;
    pool.rewriting(sent).reserve(6);
    copyTail(packet, pool.bytes, pool.start, pool.start + 6);
    expect(pool.taken(6, {})).toBe(sent);
    expect([...sent.bytes.subarray(3)]).toEqual([2, 3, 4]);
  });
});
