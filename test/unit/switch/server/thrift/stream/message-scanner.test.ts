import { MessageScanner } from '../../../../../../switch/server/thrift/stream/message-scanner';

/** A call of bm_register_write with a name that claims so many bytes and has those given. */
function call(claimed: number, name = ''): Buffer {
  const method = Buffer.from('standard:bm_register_write');
  const head = Buffer.alloc(8 + method.length + 4 + 7);
  head.writeUInt32BE(0x8001_0001, 0);
  head.writeUInt32BE(method.length, 4);
  method.copy(head, 8);
  head.writeUInt8(11, head.length - 7);
  head.writeUInt16BE(2, head.length - 6);
  head.writeUInt32BE(claimed, head.length - 4);
  return Buffer.concat([head, Buffer.from(name), Buffer.of(...(name === '' ? [] : [0]))]);
}

describe('row 16: Thrift messages that arrive in pieces', () => {
  test('are found whole, whatever the pieces', () => {
    const both = Buffer.concat([call(3, 'abc'), call(1, 'd')]);
    for (let size = 1; size <= both.length; size++) {
      const scanner = new MessageScanner(1000);
      const found: Uint8Array[] = [];
      for (let at = 0; at < both.length; at += size) {
        found.push(...scanner.push(both.subarray(at, at + size)));
      }
      expect(found.map((each) => Buffer.from(each))).toEqual([call(3, 'abc'), call(1, 'd')]);
      expect(scanner.isInside).toBe(false);
    }
  });

  test('are refused when they announce more than the limit, before anything of it has come', () => {
    expect(() => new MessageScanner(1000).push(call(2 ** 31 - 1))).toThrow(
      'a message has more than 1000 bytes (limit thrift-message-bytes)',
    );
    const scanner = new MessageScanner(1000);
    scanner.push(call(990));
    expect(() => scanner.push(Buffer.alloc(960))).toThrow('more than 1000 bytes');
  });

  test.each([
    ['a list of numbers', 15, 8, 4097],
    ['a list of strings', 15, 11, 4097],
    ['a set of structures', 14, 12, 2 ** 20],
  ])(
    'attack 4: are refused when they have more values than any call: %s',
    (_, kind, type, count) => {
      const field = Buffer.alloc(8);
      field.writeUInt8(kind, 0);
      field.writeUInt16BE(1, 1);
      field.writeUInt8(type, 3);
      field.writeUInt32BE(count, 4);
      const head = call(0).subarray(0, -7);
      const scanner = new MessageScanner(2 ** 26);
      expect(() => scanner.push(Buffer.concat([head, field]))).toThrow('more than 4096 values');
    },
  );

  test('attack 4: and when they have more fields', () => {
    const head = call(0).subarray(0, -7);
    const fields = Buffer.alloc(4 * 4097, Uint8Array.of(3, 0, 9, 1));
    const scanner = new MessageScanner(2 ** 26);
    expect(() => scanner.push(Buffer.concat([head, fields]))).toThrow('more than 4096 values');
  });

  test('are looked at once, however slowly they come', () => {
    const scanner = new MessageScanner(2 ** 26);
    scanner.push(call(2 ** 22));
    const startedAt = process.cpuUsage();
    for (let i = 0; i < 4096; i++) scanner.push(Buffer.alloc(1024));
    const { user, system } = process.cpuUsage(startedAt);
    expect((user + system) / 1e6).toBeLessThan(1);
    expect(scanner.push(Buffer.of(0))).toHaveLength(1);
  });
});
