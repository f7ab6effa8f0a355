import { WireFault } from '../../../../common/wire/fault';
import { computeIcrc, readIcrc } from '../../../../common/wire/roce/icrc';
import { writeUint16 } from '../../../../common/wire/bytes';
import { PROTOCOL_TCP, PROTOCOL_UDP } from '../../../../common/wire/ip/ipv4';
import { segmentSumIsGood } from '../../../../common/wire/ip/checksum';
import { toHex } from '../../../support/hex';
import { CODECS } from '../../../support/wire/codecs';
import { VECTORS, offsetOf, vectorFrame } from '../../../support/wire/vectors';
import type { Vector, VectorPart } from '../../../support/wire/vectors';

/**
 * Worked examples that are not bytes of a format, and where they are tested instead: PSN
 * differences (psn.test), DS flags (ccm.test), anti-replay (replay-window.test), authentication
 * codes and their pseudo-headers (message-mac.test), the chained check values of IOAM integrity
 * (ioam-integrity.test). AES-CMAC and SipHash are primitives that no format here uses.
 *
 * INT-G's three headers have no stack in the example, so they are read by the header's codec.
 * IFA-1 announces 32 bytes of records that the example does not show: the header's codec again.
 */
const ICRC_LENGTH = 4;

function partsOf(vector: Vector): (VectorPart & { readonly at: number; readonly end: number })[] {
  let at = 0;
  return vector.parts.map((part) => {
    const start = at;
    at += part.hex.length / 2;
    // IP and UDP announce what follows; the others must end where their bytes do.
    const reachesOn = ['ipv4', 'ipv6', 'udp', 'tcp'].includes(part.codec);
    return { ...part, at: start, end: reachesOn ? vectorFrame(vector).length : at };
  });
}

const named = VECTORS.map((vector): [string, Vector] => [vector.name, vector]);

/** True if the last four bytes are the ICRC of the packet whose IP header is at `ipOffset`. */
function endsInItsIcrc(frame: Uint8Array, ipOffset: number): boolean {
  const icrcAt = frame.length - ICRC_LENGTH;
  return computeIcrc(frame, ipOffset, icrcAt) === readIcrc(frame, icrcAt);
}

describe('worked examples', () => {
  test.each(named)('%s is read and written byte for byte', (_name, vector) => {
    const frame = vectorFrame(vector);
    for (const { codec, hex, at, end } of partsOf(vector)) {
      if (codec === 'raw') continue;
      const written = CODECS[codec].roundTrip(frame, at, end);
      expect(written instanceof WireFault ? written.toString() : toHex(written)).toBe(hex);
    }
  });

  test.each(named)('%s shows its fields', (_name, vector) => {
    const frame = vectorFrame(vector);
    for (const { codec, value, at, end } of partsOf(vector)) {
      if (codec === 'raw' || value === undefined) continue;
      expect(CODECS[codec].parse(frame, at, end)).toMatchObject(value);
    }
  });

  test.each(withCheck('tcp'))('%s has a good TCP checksum', (_name, vector) => {
    expect(checksumIsGood(vector, 'tcp', PROTOCOL_TCP)).toBe(true);
  });

  test.each(withCheck('udp'))('%s has a good UDP checksum', (_name, vector) => {
    expect(checksumIsGood(vector, 'udp', PROTOCOL_UDP)).toBe(true);
  });

  test('INT-C keeps the TCP checksum of the packet without INT', () => {
    const [vector] = VECTORS.filter(({ name }) => name === 'INT-C');
    const original = VECTORS.find(({ name }) => name === 'INT-B original segment');
    if (vector === undefined || original === undefined) throw new Error('vectors are missing');
    expect(vector.parts.slice(3).map(({ hex }) => hex)).toEqual(
      original.parts.slice(1).map(({ hex }) => hex),
    );
  });

  test.each(withCheck('icrc'))('%s has a good ICRC', (_name, vector) => {
    const frame = vectorFrame(vector);
    expect(endsInItsIcrc(frame, offsetOf(vector, 'ipv4', 'ipv6'))).toBe(true);
  });

  test.each(withCheck('icrc-after-stripping'))(
    '%s has a good ICRC without INT, and none with it',
    (_name, vector) => {
      const frame = vectorFrame(vector);
      expect(endsInItsIcrc(frame, 0)).toBe(false);
      const stripped = stripInt(vector);
      expect(endsInItsIcrc(stripped, 0)).toBe(true);
    },
  );

  test('INT-A with its INT bytes would have another ICRC', () => {
    const vector = VECTORS.find(({ name }) => name === 'INT-A after hop 2');
    if (vector === undefined) throw new Error('INT-A is missing');
    const frame = vectorFrame(vector);
    // 3dba3c8f on the wire, least significant byte first.
    expect(computeIcrc(frame, 0, frame.length - ICRC_LENGTH)).toBe(0x8f3cba3d);
  });
});

function withCheck(check: NonNullable<Vector['checks']>[number]): [string, Vector][] {
  return named.filter(([, { checks }]) => checks?.includes(check) === true);
}

function checksumIsGood(vector: Vector, codec: string, protocol: number): boolean {
  const frame = vectorFrame(vector);
  const ipOffset = offsetOf(vector, 'ipv4', 'ipv6');
  const segment = { ipOffset, offset: offsetOf(vector, codec), end: frame.length, protocol };
  return segmentSumIsGood(frame, segment);
}

/** Returns an IPv4 and UDP packet as a sink sends it: without INT, with lengths and port restored. */
function stripInt(vector: Vector): Uint8Array {
  const at = offsetOf(vector, 'int-packet');
  const part = vector.parts.find(({ codec }) => codec === 'int-packet');
  const length = (part?.hex.length ?? 0) / 2;
  const frame = vectorFrame(vector);
  const stripped = new Uint8Array([...frame.subarray(0, at), ...frame.subarray(at + length)]);
  writeUint16(stripped, 2, stripped.length);
  writeUint16(stripped, 24, stripped.length - 20);
  writeUint16(stripped, 22, 4791);
  return stripped;
}
