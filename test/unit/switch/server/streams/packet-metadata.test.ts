import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { NameIndex } from '../../../../../common/p4runtime/name-index';
import type { PacketHeaderInfo } from '../../../../../common/p4runtime/p4info-externs';
import {
  packPacketOut,
  unpackPacketIn,
} from '../../../../../switch/server/streams/packet-metadata';
import * as fc from 'fast-check';
import { refusedBy } from '../support/refused';

function header(...fields: readonly [string, number, boolean?][]): PacketHeaderInfo {
  const all = fields.map(([name, width, padding = false], i) => {
    return { id: i + 1, name, alias: name, width, padding };
  });
  return { id: 1, name: 'packet', alias: 'packet', fields: new NameIndex('metadata field', all) };
}

const PORT = header(['egress_port', 9], ['_pad', 7, true]);

function packet(payload: number[], ...metadata: readonly [number, number[]][]): p4.PacketOut {
  return new p4.PacketOut({
    payload: Uint8Array.from(payload),
    metadata: metadata.map(([metadataId, value]) => {
      return new p4.PacketMetadata({ metadataId, value: Uint8Array.from(value) });
    }),
  });
}

describe('packets of the controller', () => {
  test.each([
    ['both fields', packet([0xaa], [1, [1, 0xff]], [2, [0]]), [0xff, 0x80, 0xaa]],
    ['fields in another order', packet([], [2, [1]], [1, [2]]), [0x01, 0x01]],
    ['padding left out', packet([1, 2], [1, [1]]), [0x00, 0x80, 1, 2]],
    ['a padded byte string', packet([], [1, [0, 0, 1]]), [0x00, 0x80]],
  ])('are packed with %s', (_, message, bytes) => {
    expect([...packPacketOut(PORT, message, 'refused')]).toEqual(bytes);
  });

  test.each([
    ['a field too many', packet([], [1, [1]], [7, [1]]), 'INVALID_ARGUMENT'],
    ['a field twice', packet([], [1, [1]], [1, [1]]), 'INVALID_ARGUMENT'],
    ['a field that is missing', packet([1]), 'INVALID_ARGUMENT'],
    ['a value too wide', packet([], [1, [2, 0]]), 'OUT_OF_RANGE'],
    ['an empty value', packet([], [1, []]), 'OUT_OF_RANGE'],
  ])('are refused with %s', (_, message, code) => {
    expect(refusedBy(() => packPacketOut(PORT, message, 'refused'))).toBe(code);
  });

  test('what is missing can count as zero', () => {
    expect([...packPacketOut(PORT, packet([5]), 'zero')]).toEqual([0, 0, 5]);
    expect([...packPacketOut(PORT, packet([5], [1, []]), 'zero')]).toEqual([0, 0, 5]);
  });

  test('of two values the last one can count, but none that does not exist or fit', () => {
    expect([...packPacketOut(PORT, packet([], [1, [1]], [1, [2]]), 'zero')]).toEqual([1, 0]);
    for (const wrong of [packet([], [7, [1]]), packet([], [1, [2, 0]])]) {
      expect(refusedBy(() => packPacketOut(PORT, wrong, 'zero'))).toMatch(/INVALID|RANGE/);
    }
  });

  test('without a header the payload is the packet, and metadata is refused', () => {
    expect([...packPacketOut(undefined, packet([1, 2]), 'refused')]).toEqual([1, 2]);
    const code = refusedBy(() => packPacketOut(undefined, packet([], [1, [1]]), 'refused'));
    expect(code).toBe('INVALID_ARGUMENT');
  });

  test('a packet too short for its header is none', () => {
    expect(unpackPacketIn(PORT, Uint8Array.of(1))).toBeUndefined();
    expect([...(unpackPacketIn(undefined, Uint8Array.of(1))?.payload ?? [])]).toEqual([1]);
  });

  test('what is packed is unpacked again, with canonical byte strings', () => {
    const field = fc
      .integer({ min: 1, max: 70 })
      .chain((width) => fc.tuple(fc.constant(width), fc.bigInt(0n, (1n << BigInt(width)) - 1n)));
    fc.assert(
      fc.property(fc.array(field, { maxLength: 5 }), fc.uint8Array(), (fields, payload) => {
        const bits = fields.reduce((sum, [width]) => sum + width, 0);
        const pad: [number, bigint][] = bits % 8 === 0 ? [] : [[8 - (bits % 8), 0n]];
        const all = [...fields, ...pad];
        const info = header(...all.map(([width], i) => [`f${i}`, width] as [string, number]));
        const metadata = all.map(([, value], i) => {
          const hex = value.toString(16);
          const text = hex.length % 2 === 0 ? hex : `0${hex}`;
          return new p4.PacketMetadata({
            metadataId: i + 1,
            value: Uint8Array.from(Buffer.from(text, 'hex')),
          });
        });
        const bytes = packPacketOut(info, new p4.PacketOut({ payload, metadata }), 'refused');
        const found = unpackPacketIn(info, bytes);
        expect(found?.toObject()).toEqual(new p4.PacketIn({ payload, metadata }).toObject());
      }),
    );
  });
});
