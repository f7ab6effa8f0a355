import {
  linkRequest,
  parseLinkAnswer,
  sequenceOf,
} from '../../../../../common/io/net/link-message';

const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(Buffer.from(hex.replace(/\s/g, ''), 'hex'));

/** Message of a kernel about interface `veth0`, index 7, set up, without a carrier; shortened. */
const WITHOUT_CARRIER = bytes(`
  34000000 1000 0000 00000000 00000000
  00 00 0100 07000000 03100000 00000000
  0a00 0300 7665746830000000
  0500 1000 02000000`);

describe('messages about interfaces', () => {
  test('ask by name, and for no statistics', () => {
    expect(linkRequest('veth0', 0)).toEqual(
      bytes(`
        34000000 1200 0100 00000000 00000000
        00 00 0000 00000000 00000000 00000000
        0a00 0300 7665746830000000
        0800 1d00 08000000`),
    );
  });

  test('tell name, index and states', () => {
    expect(parseLinkAnswer(WITHOUT_CARRIER)).toEqual({
      name: 'veth0',
      index: 7,
      isUp: true,
      hasCarrier: false,
      operationalState: 'down',
    });
  });

  test('show a carrier by the flag that follows it at once', () => {
    const up = WITHOUT_CARRIER.slice();
    up[26] = 0x01;
    expect(parseLinkAnswer(up)).toMatchObject({ hasCarrier: true, operationalState: 'down' });
  });

  test('say that there is no such interface', () => {
    const error = bytes('24000000 0200 0000 00000000 00000000 edffffff');
    expect(parseLinkAnswer(error)).toEqual({ errno: 19 });
  });

  test('are read as far as they go', () => {
    for (let length = 0; length < WITHOUT_CARRIER.length; length++) {
      const answer = parseLinkAnswer(WITHOUT_CARRIER.subarray(0, length));
      expect(length < 32 ? answer : undefined).toBeUndefined();
    }
    const endless = WITHOUT_CARRIER.slice();
    endless[32] = 0;
    expect(parseLinkAnswer(endless)).toMatchObject({ name: '', index: 7 });
  });

  test('names the request that it answers', () => {
    expect(sequenceOf(linkRequest('veth0', 0xdeadbeef))).toBe(0xdeadbeef);
    expect(sequenceOf(new Uint8Array(15))).toBeUndefined();
  });
});
