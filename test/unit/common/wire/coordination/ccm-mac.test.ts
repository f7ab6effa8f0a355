import { createHmac } from 'node:crypto';
import { ccmMac } from '../../../../../common/wire/coordination/ccm-notification';
import type { CcmKey } from '../../../../../common/wire/coordination/ccm-notification';
import type { CcmMacContext } from '../../../../../common/wire/coordination/ccm-notification';
import { fromHex, toHex } from '../../../../support/hex';

const CONTEXT: CcmMacContext = {
  source: Uint8Array.of(10, 255, 0, 7),
  destination: Uint8Array.of(10, 0, 0, 1),
  hmac: (key, bytes) => createHmac('sha256', key).update(bytes).digest(),
};

const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i);

const MESSAGE = fromHex(
  '1100100100000007000000010000000100000000110003' +
    '02c00012b70012345600017700362a00000a0000010a000002',
);

describe('the code of a notification', () => {
  test('is that of the worked example with HMAC-SHA-256', () => {
    const key: CcmKey = { algorithm: 'hmac-sha-256-128', bytes: counting(32) };
    expect(toHex(ccmMac(key, CONTEXT, MESSAGE))).toBe('e709c25f6b0434947520909939868ca2');
  });

  test('is with SipHash-2-4 that of the message alone, filled up with zeros', () => {
    const key: CcmKey = { algorithm: 'siphash-2-4-64', bytes: counting(16) };
    const code = toHex(ccmMac(key, CONTEXT, counting(48)));
    expect(code).toBe('51a9cb9ecba312e60000000000000000');
    expect(toHex(ccmMac(key, { ...CONTEXT, source: counting(16) }, counting(48)))).toBe(code);
  });

  test('needs a key of the algorithm', () => {
    const key: CcmKey = { algorithm: 'siphash-2-4-64', bytes: counting(32) };
    expect(() => ccmMac(key, CONTEXT, MESSAGE)).toThrow('a key for siphash-2-4-64 has 16 bytes');
  });
});
