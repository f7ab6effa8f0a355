import * as crypto from 'node:crypto';
import { dsFlagsOf, indicatorsOfDsFlags } from '../../../../common/wire/coordination/ccm-tag';
import { finishChecksum, foldChecksum } from '../../../../common/wire/ip/checksum';
import { checksumComplement } from '../../../../common/wire/ip/checksum';
import { csigBucket, emitCsig, initialCsig, updateCsig } from '../../../../common/wire/csig/csig';
import type { CsigTag } from '../../../../common/wire/csig/csig';
import { pushHpccPadding } from '../../../../common/wire/hpcc/hpcc-padding';
import { baselineWords } from '../../../../common/wire/int/int-metadata';
import { maskedTraceHeader } from '../../../../common/wire/ioam/ioam-integrity';
import { ioamNodeWords } from '../../../../common/wire/ioam/ioam-node';
import { padIpv6Options } from '../../../../common/wire/ip/ipv6';
import { LABEL_NOTIFICATION, macInput } from '../../../../common/wire/security/message-mac';
import { macsAreEqual, messageMac } from '../../../../common/wire/security/message-mac';
import { EMPTY_NS3_INT, emitNs3Int, pushNs3Int } from '../../../../common/wire/hpcc/ns3-int-header';
import { psnDifference } from '../../../../common/wire/roce/bth';
import { ReplayWindow } from '../../../../common/wire/security/replay-window';
import { mayProbe, probeSequence } from '../../../../common/wire/hpcc/tcp-probe';
import { fromHex, toHex } from '../../../support/hex';
import { VECTORS, vectorFrame } from '../../../support/wire/vectors';

describe('PSN arithmetic', () => {
  test.each([
    [0x000001, 0xffffff, 2],
    [0xffffff, 0x000001, -2],
    [0x800000, 0x000000, -8388608],
    [0x7fffff, 0x000000, 8388607],
    [0xabcdef, 0xabcde0, 15],
  ])('%x minus %x is %d', (a, b, difference) => {
    expect(psnDifference(a, b)).toBe(difference);
  });
});

describe('the anti-replay window', () => {
  test('follows the worked example', () => {
    const window = new ReplayWindow(64);
    const verdicts = [1, 2, 5, 3, 3, 70, 6, 5, 7].map((low) => window.accept({ high: 0, low }));
    expect(verdicts).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'accepted',
      'replayed',
      'accepted',
      'too-old',
      'too-old',
      'accepted',
    ]);
  });

  test('of one number takes only what is newer than all before', () => {
    const window = new ReplayWindow(1);
    const verdicts = [3, 3, 2, 4].map((low) => window.accept({ high: 0, low }));
    expect(verdicts).toEqual(['accepted', 'replayed', 'too-old', 'accepted']);
  });

  test('takes a boot counter in the upper half, and zero never', () => {
    const window = new ReplayWindow();
    expect(window.accept({ high: 0, low: 0 })).toBe('replayed');
    expect(window.accept({ high: 0xffff_fffe, low: 9 })).toBe('accepted');
    expect(window.accept({ high: 0xffff_ffff, low: 1 })).toBe('accepted');
    expect(window.accept({ high: 0xffff_fffe, low: 10 })).toBe('too-old');
  });
});

const hmac =
  (key: Uint8Array) =>
  (bytes: Uint8Array): Uint8Array =>
    crypto.createHmac('sha256', key).update(bytes).digest();

describe('message authentication', () => {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i);

  test('rests on HMAC-SHA-256 as in RFC 4231', () => {
    const tag = hmac(new Uint8Array(20).fill(0x0b))(Buffer.from('Hi There'));
    expect(toHex(tag)).toBe('b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7');
  });

  test.each([
    ['CCM notification type 1', '0a000001'],
    ['CCM notification type 3', '0a010101'],
  ])('gives the code of the worked example: %s', (name, destination) => {
    const vector = VECTORS.find((candidate) => candidate.name === name);
    if (vector === undefined) throw new Error(`${name} is missing`);
    const whole = vectorFrame(vector);
    const message = whole.subarray(0, whole.length - 16);
    const context = {
      label: LABEL_NOTIFICATION,
      source: fromHex('0aff0007'),
      destination: fromHex(destination),
      destinationPort: 50001,
    };
    const header = macInput(context, message).subarray(0, 48);
    expect(toHex(header)).toBe(
      '485043432b2b43434d763100' +
        '00000000000000000000ffff0aff0007' +
        `00000000000000000000ffff${destination}c3510040`,
    );
    const mac = messageMac(context, message, hmac(key));
    expect(macsAreEqual(mac, whole.subarray(whole.length - 16))).toBe(true);
  });

  test('compares whole codes', () => {
    expect(macsAreEqual(fromHex('0102'), fromHex('0103'))).toBe(false);
    expect(macsAreEqual(fromHex('0102'), fromHex('010203'))).toBe(false);
  });
});

describe('IOAM integrity', () => {
  /** GMAC is the tag of GCM over additional data alone. */
  const gmac = (keyHex: string, nonce: string, data: string): string => {
    const cipher = crypto.createCipheriv('aes-128-gcm', fromHex(keyHex), fromHex(nonce));
    cipher.setAAD(fromHex(data));
    cipher.final();
    return toHex(cipher.getAuthTag());
  };

  test('chains the check values of the worked example', () => {
    const nonce = '01abcdef0000000000000001';
    // Remaining length 1 on the wire is masked.
    const masked = toHex(maskedTraceHeader(fromHex('007b080180000000'), 0));
    expect(masked).toBe('007b080080000000');
    const first = gmac('000102030405060708090a0b0c0d0e0f', nonce, masked + '40000001');
    expect(first).toBe('835ba8b5c40aaa224c008dcee16f1671');
    const second = gmac('101112131415161718191a1b1c1d1e1f', nonce, first + '3f000002');
    expect(second).toBe('6a743c3b1adb9fe05b48dc290326141a');
  });
});

describe('what nodes do to telemetry', () => {
  test('the checksum complement of the source keeps the TCP checksum (INT-CC)', () => {
    // Added: shim, header and block without complement; the pseudo-header's length grows by 28.
    const added = '100600282000030790010000000000000000000a01000064';
    expect(checksumComplement(24, sumOf(added) + 24 + 28)).toBe(0x3b3f);
  });

  test('the checksum complement of a transit node covers what it changed (INT-CC)', () => {
    // Shim length 6 to 9 and remaining hops 7 to 6 changed; length grows from 52 to 64.
    const removed = sumOf('1006' + '0307') + 52;
    const added = sumOf('1009' + '0306' + '0000000b010001f4') + 64;
    expect(checksumComplement(removed, added)).toBe(0xfcf2);
  });

  test('a sum with its complement is zero', () => {
    const complement = checksumComplement(0x1234, 0xabcd);
    expect(foldChecksum(0xabcd + finishChecksum(0x1234) + complement)).toBe(0xffff);
  });

  test('HPCC padding grows by a record, and XORs the ids (PAD-1)', () => {
    const record = { speedCode: 2, timestamp: 1, txUnits: 2, queueUnits: 3 };
    const empty = { pathId: 0, records: [], aligned: false };
    const two = pushHpccPadding(pushHpccPadding(empty, 0x0a1, record), 0x3c4, record);
    expect(two).toEqual({ pathId: 0x365, records: [record, record], aligned: false });
  });

  test('the simulator overwrites slot 0 with a sixth hop (PAD-2)', () => {
    let header = EMPTY_NS3_INT;
    for (let hop = 1; hop <= 6; hop++) {
      const codes = { rateCode: 2, time: hop << 12, txUnits: hop << 4, queueUnits: hop };
      header = pushNs3Int(header, codes);
    }
    expect(header.slots.map(({ time }) => time >> 12)).toEqual([6, 2, 3, 4, 5]);
    const bytes = new Uint8Array(42);
    emitNs3Int(header, bytes, 0);
    expect(toHex(bytes).slice(-4)).toBe('0600');
  });

  test.each([
    {
      name: 'min(ABW)',
      type: 0,
      // Signal and locator of two switches; the second one is better off.
      switches: [
        [12, 0x15],
        [20, 0x16],
      ],
      tags: ['99000f80', '99000615', '99000615'],
    },
    {
      name: 'max(PD)',
      type: 2,
      switches: [
        [7, 0x15],
        [9, 0x16],
      ],
      tags: ['99004000', '99004395', '99004496'],
    },
  ] as const)('CSIG keeps the worse value of $name', ({ type, switches, tags }) => {
    let tag = initialCsig(0x9900, type);
    const seen = [tag];
    for (const [signal, locator] of switches) {
      tag = updateCsig(tag, signal, locator);
      seen.push(tag);
    }
    expect(seen.map(csigHex)).toEqual(tags);
  });

  test('CSIG is left alone by switches that must not or cannot update it', () => {
    const start = initialCsig(0x9900, 0);
    expect(updateCsig({ ...start, doNotUpdate: true }, 5, 5).locator).toBe(0);
    expect(updateCsig({ ...start, type: 5 }, 5, 5).locator).toBe(0);
  });

  test('a value falls into the bucket of the edges that it reaches', () => {
    const edges = [40000, 80000, 120000, 160000, 180000, 190000, 198000];
    expect([0, 39999, 40000, 197999, 198000].map((v) => csigBucket(v, edges))).toEqual([
      0, 0, 1, 6, 7,
    ]);
  });

  test.each([
    ['nothing', 0x0000, { congestionControl: false, reroutingPoint: undefined }],
    ['a rerouting point', 0x4111, { congestionControl: false, reroutingPoint: 0x111 }],
    ['both indicators', 0xc211, { congestionControl: true, reroutingPoint: 0x211 }],
    ['the largest point', 0x5fff, { congestionControl: false, reroutingPoint: 0x1fff }],
  ])('DS flags say %s', (_what, flags, indicators) => {
    expect(indicatorsOfDsFlags(flags)).toEqual(indicators);
    expect(dsFlagsOf(indicators)).toBe(flags);
  });

  test('the DS flag of fast feedback is no part of the tag', () => {
    expect(indicatorsOfDsFlags(0x6111)).toEqual(indicatorsOfDsFlags(0x4111));
    const tooLarge = { congestionControl: false, reroutingPoint: 0x2000 };
    expect(() => dsFlagsOf(tooLarge)).toThrow('13 bits');
  });

  test('a TCP probe lies below what was acknowledged, by the grown INT bytes (P4)', () => {
    expect(probeSequence(0x1000, 8, 5)).toBe(0xf50);
    expect(probeSequence(0x10, 8, 5)).toBe(0xffffff60);
    expect([175, 176].map((acked) => mayProbe(acked, 8, 5))).toEqual([false, true]);
  });
});

describe('lengths by bitmap', () => {
  test.each([
    [0xd400, 5],
    [0xd500, 6],
    [0x9001, 3],
    [0xffff, 19],
  ])('INT instructions %x ask for %d words', (bitmap, words) => {
    expect(baselineWords(bitmap)).toBe(words);
  });

  test('timestamps of INT v1.0 are one word', () => {
    expect(baselineWords(0x0c00, { timestampWords: 1, bit6: 'interfaces' })).toBe(2);
  });

  test.each([
    [0xd20800, 5],
    [0xfff002, 15],
    [0x800000, 1],
    [0x000002, 0],
  ])('IOAM type %x has %d words per node', (type, words) => {
    expect(ioamNodeWords(type)).toBe(words);
  });
});

test('options of IPv6 start at multiples of 4, in a header of whole eights', () => {
  const data = new Uint8Array(10);
  const padded = padIpv6Options([{ type: 0x11, data }]);
  // 2 bytes of header and PadN of 2 bytes before; 4 + 12 bytes are two eights.
  expect(padded.map(({ type, data: { length } }) => [type, length])).toEqual([
    [1, 0],
    [0x11, 10],
  ]);
  const odd = padIpv6Options([{ type: 0x31, data: new Uint8Array(9) }]);
  expect(odd.map(({ type, data: { length } }) => [type, length])).toEqual([
    [1, 0],
    [0x31, 9],
    [0, 0],
  ]);
});

function csigHex(tag: CsigTag): string {
  const bytes = new Uint8Array(4);
  emitCsig(tag, bytes, 0, 'ietf');
  return toHex(bytes);
}

function sumOf(hex: string): number {
  const words = hex.match(/.{4}/g) ?? [];
  return words.reduce((sum, word) => sum + parseInt(word, 16), 0);
}
