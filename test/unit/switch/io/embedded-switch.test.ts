import { readFileSync } from 'node:fs';
import { EmbeddedSwitch, InputError, StfError } from '../../../../switch/io';

const read = (name: string): string => readFileSync(`test/fixtures/p4runtime/${name}`, 'utf8');
const EXTERNS = read('externs.json');
const SAMPLE_INFO = read('sample.p4info.txtpb');

/** Makes a frame for `externs.p4`: destination, source, ether type. */
const frame = (destination: number): Uint8Array =>
  Uint8Array.of(2, 0, 0, 0, 0, destination, 2, 0, 0, 0, 0, 9, 0x08, 0);

const forwarding = (options?: ConstructorParameters<typeof EmbeddedSwitch>[1]): EmbeddedSwitch => {
  const device = new EmbeddedSwitch(EXTERNS, options);
  device.write('add dmac 1 hdr.ethernet.dst_addr:0x020000000007 ingress.forward(port:3)');
  return device;
};

describe.each(['generated', 'interpreter'] as const)('a program by itself, %s', (executor) => {
  test('forwards by the entries that were written by name', () => {
    const device = forwarding({ executor });
    device.send(1, frame(7));
    device.send(2, frame(8));
    expect(device.collect()).toEqual([{ port: 3, bytes: frame(7), timeNs: 1_000_001_000 }]);
    expect(device.collect()).toEqual([]);
  });

  test('counts and remembers what the program says', () => {
    const device = forwarding({ executor });
    for (let i = 0; i < 3; i++) device.send(1, frame(7));
    device.send(2, frame(7));
    expect(device.readCounter('rx', 1)).toEqual({ packets: 3n, bytes: 42n });
    expect(device.readCounter('ingress.rx', 2)).toEqual({ packets: 1n, bytes: 14n });
    expect(device.readRegister('last_source', 1)).toBe(0x0200_0000_0009n);
    expect(device.readRegister('last_source', 0)).toBe(0n);
  });
});

describe('the time of an embedded switch', () => {
  test('is that of packets and of what passes between them', () => {
    const device = forwarding();
    expect(device.timeNs).toBe(1e9);
    device.send(1, frame(7), 2e9);
    device.advance(500);
    expect(device.timeNs).toBe(2e9 + 500);
    device.send(1, frame(7), 2e9 + 500);
    expect(device.collect().map(({ timeNs }) => timeNs)).toEqual([2e9, 2e9 + 500]);
  });

  test('is that of the links too', () => {
    const device = forwarding({
      ports: [
        { port: 1, rate: 1e9 },
        { port: 3, rate: 1e9 },
      ],
    });
    device.send(1, frame(7), 2e9);
    device.send(1, frame(7), 2e9);
    expect(device.collect().map(({ timeNs }) => timeNs)).toEqual([2e9, 2e9 + 14 * 8]);
  });

  test('never goes back', () => {
    const device = forwarding();
    expect(() => device.send(1, frame(7), 5)).toThrow('5 ns is before 1000000000 ns');
    expect(() => device.advance(-1)).toThrow('wanted a duration from 0 ns, found -1');
    expect(() => device.advance(NaN)).toThrow(InputError);
  });
});

describe('what an embedded switch refuses', () => {
  test.each([
    ['add dmca 1 hdr.ethernet.dst_addr:1 deny()', /^statements:1: wanted a table, found 'dmca'/],
    ['\nadd dmac 1 hdr.ethernet.dst_addr:1 burn()', /^statements:2: .*burn/],
    ['expect 1 00', /^statements:1: 'expect' belongs to tests/],
    [
      ['add dmac 1 dst_addr:1 deny()', 'add dmac 1 dst_addr:1 deny()'].join('\n'),
      /^statements:2: .*it has an entry with that key/,
    ],
  ])('%j', (text, message) => {
    const device = new EmbeddedSwitch(EXTERNS);
    expect(() => device.write(text)).toThrow(message);
    expect(() => new EmbeddedSwitch(EXTERNS).write(text)).toThrow(StfError);
  });

  test('counters, registers and cells that do not exist', () => {
    const device = new EmbeddedSwitch(EXTERNS);
    expect(() => device.readCounter('tx', 0)).toThrow(/wanted a counter, found 'tx'/);
    expect(() => device.readRegister('smac', 0)).toThrow(/wanted a register, found 'smac'/);
    expect(() => device.readCounter('rx', 8)).toThrow(InputError);
    expect(() => device.readRegister('last_source', 8)).toThrow(InputError);
  });

  test('a program that is none, or whose P4Info is of another', () => {
    expect(() => new EmbeddedSwitch('{}')).toThrow(InputError);
    expect(() => new EmbeddedSwitch(EXTERNS, { p4info: SAMPLE_INFO })).toThrow(InputError);
    const p4info = read('externs.p4info.txtpb');
    expect(new EmbeddedSwitch(JSON.parse(EXTERNS) as object, { p4info }).timeNs).toBe(1e9);
  });
});
