import { decodeFrame } from '../../../../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../../../../common/telemetry/decode/decode-settings';
import type { DecodeSettings } from '../../../../../common/telemetry/decode/decode-settings';
import { FORMATS } from '../../../../../common/telemetry/decode/formats';
import { readUint16, writeUint16 } from '../../../../../common/wire/bytes';
import { WireFault } from '../../../../../common/wire/fault';
import { fromHex } from '../../../../support/hex';
import { formatFrames } from '../../../../support/wire/format-frames';

const ETHERNET = 14;
const IPV4 = 20;
const UDP = 8;
const SHIM = 4;
/** Payload of the tunnels, which nobody looks into. */
const INNER = new Uint8Array(60).fill(0xaa);

function frame(name: string): Uint8Array {
  const [, bytes] = formatFrames().find(([candidate]) => candidate === name) ?? [];
  if (bytes === undefined) throw new Error(`no frame ${name}`);
  return bytes;
}

function telemetry(bytes: Uint8Array, settings: Partial<DecodeSettings> = {}) {
  const all = { ...DEFAULT_DECODE_SETTINGS, ...settings };
  const decoded = decodeFrame(bytes, bytes.length, all, 'auto');
  if (decoded instanceof WireFault) throw new Error(decoded.toString());
  return decoded.telemetry;
}

const joined = (...parts: readonly Uint8Array[]): Uint8Array =>
  new Uint8Array(parts.flatMap((part) => [...part]));

function emitted<Header extends object>(
  format: { emit: (header: Header, bytes: Uint8Array) => void; length: (header: Header) => number },
  header: Header,
): Uint8Array {
  const bytes = new Uint8Array(format.length(header));
  format.emit(header, bytes);
  return bytes;
}

const intA = frame('INT-A');
/** INT-MD header and stack of two hops, as they stand behind the shim of UDP. */
const body = intA.slice(
  ETHERNET + IPV4 + UDP + SHIM,
  ETHERNET + IPV4 + UDP + SHIM + 4 * (intA[ETHERNET + IPV4 + UDP + 1] ?? 0),
);
const words = body.length / 4;

function overIp(protocol: number, payload: Uint8Array): Uint8Array {
  const ip = FORMATS.ipv4.parse(intA, ETHERNET);
  if (ip instanceof WireFault) throw new Error('INT-A has an IPv4 header');
  const header = emitted(FORMATS.ipv4, { ...ip, protocol, totalLength: IPV4 + payload.length });
  return joined(intA.subarray(0, ETHERNET), header, payload);
}

function overUdp(destinationPort: number, payload: Uint8Array): Uint8Array {
  const length = UDP + payload.length;
  const udp = emitted(FORMATS.udp, { sourcePort: 5, destinationPort, length, checksum: 0 });
  return overIp(17, joined(udp, payload));
}

const gpe = (nextProtocol: number): Uint8Array =>
  emitted(FORMATS['vxlan-gpe'], { flags: 0x0c, nextProtocol, vni: 77 });
const gpeShim = emitted(FORMATS['int-vxlan-gpe-shim'], {
  type: 1,
  words,
  wasVxlan: true,
  nextProtocol: 3,
});
const greShim = emitted(FORMATS['int-gre-shim'], {
  type: 1,
  words,
  greAdded: true,
  nextProtocol: 0x0800,
});

function geneve(optionClass: number): Uint8Array {
  const other = emitted(FORMATS['int-geneve-option'], { optionClass: 0x1234, type: 5, words: 1 });
  const option = emitted(FORMATS['int-geneve-option'], { optionClass, type: 1, words });
  const options = joined(other, new Uint8Array(4), option, body);
  const header = { control: false, critical: false, protocol: 0x6558, vni: 78, options };
  return overUdp(6081, joined(emitted(FORMATS.geneve, header), INNER));
}

const PATH = [{ switchId: 1 }, { switchId: 2 }];
const MD = { format: 'int', hops: PATH };

describe('INT in tunnels', () => {
  test.each([0x80, 0x82])('is read in VXLAN-GPE by its next protocol %i', (nextProtocol) => {
    const bytes = overUdp(4790, joined(gpe(nextProtocol), gpeShim, body, INNER));
    const details = { kind: 'int-md', tunnel: 'vxlan-gpe', vni: 77, wasVxlan: true };
    expect(telemetry(bytes)).toMatchObject([
      { ...MD, details: { ...details, nextProtocol: 3, domainId: '0x4850', hopWords: 8 } },
    ]);
  });

  test.each([0x0103, 0x00ab])('is read in Geneve by its option class %i', (optionClass) => {
    const details = { kind: 'int-md', tunnel: 'geneve', vni: 78, optionClass };
    expect(telemetry(geneve(optionClass))).toMatchObject([{ ...MD, details }]);
  });

  test('is read in GRE by an EtherType that is a setting', () => {
    const gre = emitted(FORMATS.gre, { protocol: 0x88b6, key: 9, sequence: 1 });
    const bytes = overIp(47, joined(gre, greShim, body, INNER));
    const details = { tunnel: 'gre', key: 9, greAdded: true, nextProtocol: 0x0800 };
    expect(telemetry(bytes)).toMatchObject([{ ...MD, details }]);
    expect(telemetry(bytes, { intGreProtocol: 0x1234 })).toEqual([]);
  });

  test('is not looked for where the tunnel carries something else', () => {
    expect(telemetry(overUdp(4790, joined(gpe(3), INNER)))).toEqual([]);
    expect(telemetry(geneve(0x4321))).toEqual([]);
  });

  test('is a fault where it is damaged or cut, at the place', () => {
    const whole = joined(gpe(0x82), gpeShim, body);
    for (let length = 0; length < whole.length; length++) {
      const found = telemetry(overUdp(4790, whole.slice(0, length)));
      expect(found).toMatchObject([{ format: 'int', fault: expect.any(WireFault) as object }]);
    }
    const version = joined(gpe(0x82), gpeShim, body);
    version[12] = 0x10;
    const [found] = telemetry(overUdp(4790, version)) as readonly { fault: WireFault }[];
    expect(found?.fault.offset).toBe(ETHERNET + IPV4 + UDP + 12);
  });
});

describe('telemetry in tags and options', () => {
  test('shows the wide tag of CSIG', () => {
    const bytes = joined(intA.subarray(0, 12), fromHex('ccde24682012ab00'), intA.subarray(12));
    const details = { kind: 'wide', signalType: 'max-delay', signal: 0x012ab, locator: 0x1234 };
    expect(telemetry(bytes)).toMatchObject([
      { format: 'csig', details: { ...details, doNotUpdate: false, tpid: '0xccde' }, hops: [] },
      MD,
    ]);
    expect(telemetry(bytes, { csigWideTpid: 0xccdf })).toEqual([]);
  });

  test('shows the trace of a protected IOAM option, and its integrity header', () => {
    const plain = frame('IOAM');
    const optionAt = plain.findIndex((byte, i) => i > 50 && byte === 0x31 && plain[i + 2] === 0);
    const dataAt = optionAt + 2;
    const integrity = fromHex('000c000001abcdef0000000000000001835ba8b5c40aaa224c008dcee16f1671');
    const headerEnd = dataAt + 2 + 8;
    const bytes = joined(plain.subarray(0, headerEnd), integrity, plain.subarray(headerEnd));
    bytes[optionAt + 1] = (plain[optionAt + 1] ?? 0) + 32;
    bytes[dataAt + 1] = (plain[dataAt + 1] ?? 0) + 64;
    bytes[ETHERNET + 40 + 1] = (plain[ETHERNET + 40 + 1] ?? 0) + 4;
    writeUint16(bytes, ETHERNET + 4, readUint16(plain, ETHERNET + 4) + 32);
    const [before] = telemetry(plain) as readonly { details: object; hops: readonly object[] }[];
    expect(telemetry(bytes)).toEqual([
      {
        ...before,
        details: {
          ...before?.details,
          integrity: {
            keyId: 1,
            nodeId: 0xabcdef,
            counter: '0x0000000000000001',
            checkValue: '835ba8b5c40aaa224c008dcee16f1671',
          },
        },
      },
    ]);
    bytes[headerEnd] = 1;
    expect(telemetry(bytes)).toMatchObject([
      { format: 'ioam', fault: { header: 'ioam-integrity' } },
    ]);
  });
});
