import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { decodeFrame } from '../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../common/telemetry/decode/decode-settings';
import type { DecodeSettings } from '../../common/telemetry/decode/decode-settings';
import type { HopTelemetry } from '../../common/hop/hop';
import { craftFrame } from '../../common/telemetry/craft/kinds';
import type { AnyLayer } from '../../common/telemetry/craft/layer';
import { readCapture } from '../../common/wire/capture/capture';
import { WireFault } from '../../common/wire/fault';
import { toHex } from '../support/hex';
import { ROOT, fixture } from '../support/paths';
import { describeIf } from '../support/requires';
import { rowsOfCapture, rowsOfFrames, tsharkAvailable } from '../support/tshark';
import { FOREIGN_FRAMES, LINK_FRAMES } from '../support/wire/foreign-frames';
import { formatFrames } from '../support/wire/format-frames';
import { VECTORS, vectorFrame } from '../support/wire/vectors';

/** Python with Debian's python3-scapy: `apt-get install python3-scapy`. */
const PYTHON = '/usr/bin/python3';
/** Ethernet, IPv4 and UDP. */
const HEADERS_LENGTH = 14 + 20 + 8;
const LUA = path.join(ROOT, 'docs', 'wireshark', 'hpcc.lua');

const runs = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args).status === 0;

/** Hops of our decoding, in the order of the wire. */
function hopsOf(bytes: Uint8Array, settings: Partial<DecodeSettings>): HopTelemetry[] {
  const all = { ...DEFAULT_DECODE_SETTINGS, ...settings };
  const decoded = decodeFrame(bytes, bytes.length, all, 'auto');
  if (decoded instanceof WireFault) throw new Error(decoded.toString());
  const oldestFirst = settings.padding !== undefined;
  return decoded.telemetry.flatMap((found) => {
    if ('fault' in found) throw new Error(found.fault.toString());
    return oldestFirst ? found.hops : [...found.hops].reverse();
  });
}

/** Fields of INT that are compared. */
const INT_FIELDS: readonly string[] = [
  'version',
  'domain',
  'node_id',
  'egress',
  'queue_occupancy',
  'tx_bytes',
  'capacity_mbps',
];

/** Values of one field of all hops, as tshark joins them. */
const joined = (hops: readonly HopTelemetry[], key: keyof HopTelemetry): string =>
  hops
    .map((hop) => hop[key])
    .filter((value) => value !== undefined)
    .join(',');

describeIf(tsharkAvailable(), 'tshark', 'tshark is not on PATH', () => {
  const lua = ['-X', `lua_script:${LUA}`];
  const frames = formatFrames();
  const frameOf = (name: string): Uint8Array => {
    const [, bytes] = frames.find(([candidate]) => candidate === name) ?? [];
    if (bytes === undefined) throw new Error(`no frame ${name}`);
    return bytes;
  };
  const one = (name: string, fields: readonly string[], options: readonly string[] = []) =>
    rowsOfFrames([frameOf(name)], fields, [...lua, ...options])[0];

  /** Rows of all frames, read once. PERF: each tshark takes a second to begin. */
  let rowsOfInt: string[][] | undefined;
  /** Fields of INT that our dissector shows of a frame. */
  const intOf = (name: string, fields: readonly string[]): (string | undefined)[] => {
    const bytes = frames.map(([, each]) => each);
    const all = INT_FIELDS.map((field) => `hpcc.int.${field}`);
    rowsOfInt ??= rowsOfFrames(bytes, all, lua);
    const row = rowsOfInt[frames.findIndex(([candidate]) => candidate === name)];
    return fields.map((field) => row?.[INT_FIELDS.indexOf(field)]);
  };

  test.each(['INT-A', 'INT-B', 'INT-C', 'HPCC data', 'HPCC acknowledgement'])(
    'shows with our dissector the hops that we decode from %s',
    (name) => {
      const hops = hopsOf(frameOf(name), {});
      const fields = ['node_id', 'egress', 'queue_occupancy', 'tx_bytes', 'capacity_mbps'];
      const megabits = hops.map(({ capacity }) => (capacity ?? NaN) / 1e6).filter((c) => c > 0);
      expect(intOf(name, fields)).toEqual([
        joined(hops, 'switchId'),
        joined(hops, 'portId'),
        joined(hops, 'queueBytes'),
        joined(hops, 'txBytes'),
        megabits.join(','),
      ]);
    },
  );

  test('shows with our dissector INT v1.0 and INT-MX', () => {
    const fields = ['version', 'node_id', 'domain'];
    expect(intOf('INT-D', fields)).toEqual(['1', '11,10', '']);
    expect(intOf('INT-F', fields)).toEqual(['2', '', '0x4850']);
  });

  test('shows with our dissector what other programs write, and what is inside of reports', () => {
    const fields = ['hpcc.report.node_id', 'hpcc.int.node_id', 'hpcc.malformed'];
    const rows = rowsOfFrames(
      FOREIGN_FRAMES.map(([, bytes]) => bytes),
      fields,
      lua,
    );
    const shown = rows.map(([report = '', hops = '', fault = '']) => [
      ...[...report.split(','), ...hops.split(',').reverse()].filter((id) => id !== '').map(Number),
      ...(fault === '' ? [] : [fault]),
    ]);
    expect(shown).toEqual(FOREIGN_FRAMES.map(([, , ids]) => ids));
  });

  test('shows with our dissector the option of direct export, in packets and inside of reports', () => {
    const exported = (directExport: object): AnyLayer[] => [
      { kind: 'ipv6' },
      { kind: 'hop-by-hop', options: [{ directExport }] },
      { kind: 'udp', destinationPort: 5000 },
      { kind: 'payload', text: 'abcd' },
    ];
    const traceType = 0xc00000;
    const layers = exported({ namespaceId: 7, traceType, flowId: 77, sequence: 5 });
    const more = { otherFlags: 0x21, otherWords: [1, 2] };
    const report = { kind: 'report', nodeId: 9, reports: [{ layers }] };
    const frames = [
      ['ethernet', ...layers],
      ['ethernet', ...exported({ namespaceId: 7, traceType, sequence: 6, ...more })],
      ['ethernet', 'ipv4', 'udp', report],
    ].map((each) => craftFrame(each));
    const fields = ['namespace', 'trace_type', 'flow_id', 'sequence'].map((n) => `hpcc.ioam.${n}`);
    expect(rowsOfFrames(frames, [...fields, 'hpcc.malformed'], lua)).toEqual([
      ['7', '12582912', '77', '5', ''],
      ['7', '12582912', '', '6', ''],
      ['7', '12582912', '77', '5', ''],
    ]);
  });

  test('shows with our dissector the incremental trace behind NSH, and what it carries', () => {
    const node = { hopLimit: 60, nodeId: 5, ingressInterface: 1, egressInterface: 2 };
    const snapshot = { schemaId: 1, data: '01020304' };
    const trace = { namespaceId: 7, isIncremental: true, remainingWords: 3 };
    const nsh = (fields: object): AnyLayer[] => [
      { kind: 'nsh', pathId: 9 },
      { kind: 'nsh-ioam', trace: { ...trace, ...fields } },
      { kind: 'ipv4' },
      { kind: 'udp', destinationPort: 5000 },
      { kind: 'int-shim' },
      { kind: 'int-md', hops: [{ nodeId: 3 }] },
    ];
    const hops = [node, { ...node, nodeId: 6, snapshot }];
    const frames = [
      ['ethernet', ...nsh({ traceType: 0xc00000, hops: [node, { ...node, nodeId: 6 }] })],
      ['ethernet', ...nsh({ traceType: 0xc00002, hops, overflow: true })],
      ['ethernet', 'ipv4', 'udp', 'vxlan-gpe', ...nsh({ traceType: 0x800000, hops: [node] })],
      ['ethernet', ...nsh({ traceType: 0xc00000, hops: [node] })],
    ].map((each) => craftFrame(each));
    // A head that says a word less: its node is cut.
    const damaged = frames[3] as Uint8Array;
    damaged[23] = (damaged[23] ?? 0) - 1;
    const ours = ['node_id', 'egress', 'remaining', 'overflow'].map((name) => `hpcc.ioam.${name}`);
    const fields = ['nsh.spi', ...ours, 'hpcc.int.node_id'];
    expect(rowsOfFrames(frames.slice(0, 3), fields, lua)).toEqual([
      ['9', '6,5', '2,2', '3', '0', '3'],
      ['9', '6,5', '2,2', '3', '1', '3'],
      ['9', '5', '', '3', '0', '3'],
    ]);
    const [[malformed = ''] = []] = rowsOfFrames([damaged], ['hpcc.malformed'], lua);
    expect(malformed).not.toBe('');
  });

  test.each(LINK_FRAMES)('shows with our dissector telemetry under %s', (_, linkType, bytes) => {
    expect(rowsOfFrames([bytes], ['hpcc.int.node_id', 'hpcc.malformed'], lua, linkType)).toEqual([
      ['2,1', ''],
    ]);
  });

  test('shows with our dissector the header of the transport', () => {
    const fields = ['type', 'flow_id', 'length', 'sequence'].map(
      (name) => `hpcc.transport.${name}`,
    );
    expect(one('HPCC data', fields)).toEqual(['1', '7', '4', '1024']);
    expect(one('HPCC acknowledgement', fields)).toEqual(['2', '7', '80', '1024']);
  });

  test('names with our dissector the flags of each type of the transport', () => {
    const packets: readonly (readonly [number, number, string])[] = [
      [0x32, 0x82, 'marked=1 echo=1 nack=0 sack=0 auth=0 ratio=0 and an echo'],
      [0x32, 0x0e, 'marked=0 echo=1 nack=1 sack=1 auth=0 ratio=0'],
      [0x34, 0x42, 'echo=1 response=1 auth=0 ratio=0 and an echo'],
      [0x34, 0x30, 'echo=0 response=0 auth=1 ratio=1'],
      [0x31, 0xad, 'epoch=10 fin=1 retransmit=1 selective=1'],
      [0x35, 0x10, 'auth=1'],
      [0x16, 0x01, 'auth=0 to_receiver=1'],
    ];
    const names = ['marked', 'echo', 'nack', 'sack', 'response', 'auth', 'ratio', 'epoch', 'fin'];
    const all = [...names, 'retransmit', 'selective', 'to_receiver'];
    const made = packets.map(([versionAndType, flags]) => {
      const bytes = frameOf('HPCC acknowledgement').slice();
      bytes.set([versionAndType, flags], HEADERS_LENGTH);
      return bytes;
    });
    const fields = all.map((name) => `hpcc.transport.${name}`);
    const shown = rowsOfFrames(made, [...fields, 'hpcc.int.node_id'], lua).map((row) => {
      const flags = all.flatMap((name, i) => (row[i] === '' ? [] : [`${name}=${row[i]}`]));
      return flags.join(' ') + (row[all.length] === '' ? '' : ' and an echo');
    });
    expect(shown).toEqual(packets.map(([, , text]) => text));
  });

  test('shows with our dissector HPCC padding, by preference', () => {
    const hops = hopsOf(frameOf('PAD-1'), { padding: 'published' });
    const fields = ['path_id', 'time', 'tx_units'].map((name) => `hpcc.padding.${name}`);
    const units = hops.map(({ txBytes }) => (txBytes ?? NaN) / 128).join(',');
    expect(one('PAD-1', fields, ['-o', 'hpcc.padding:published'])).toEqual([
      '0x0365',
      joined(hops, 'timestamp'),
      units,
    ]);
    expect(one('PAD-1', fields)).toEqual(['', '', '']);
  });

  test('shows with our dissector IFA, CSIG and telemetry reports', () => {
    const ifa = hopsOf(frameOf('IFA-B'), {});
    const ifaFields = ['hpcc.ifa.device', 'hpcc.ifa.egress', 'hpcc.ifa.hop_limit'];
    const wanted = [joined(ifa, 'switchId'), joined(ifa, 'portId'), '126'];
    expect(one('IFA-B', ifaFields)).toEqual(wanted);
    const csigFields = ['hpcc.csig.type', 'hpcc.csig.signal', 'hpcc.csig.locator'];
    expect(one('CSIG', csigFields)).toEqual(['1', '23', '5']);
    expect(one('CSIG', csigFields, ['-o', 'hpcc.csig_dialect:UEC'])).toEqual(['1', '23', '2']);
    const reportFields = ['hpcc.report.sequence', 'hpcc.report.node_id', 'hpcc.int.tx_bytes'];
    expect(one('INT-R', reportFields)).toEqual(['5', '1', String(0x1234567880)]);
  });

  test('shows with our dissector tags and notifications of coordination', () => {
    const tag = ['cc', 'ar_valid', 'ar_id'].map((name) => `hpcc.ccm.${name}`);
    expect(one('CCM tag', tag)).toEqual(['1', '1', String(0x0a010101)]);
    expect(one('INT-A', tag)).toEqual(['0', '0', '0']);
    const fields = ['type', 'sender', 'sequence', 'source', 'destination_port', 'queue_bytes'];
    expect(
      one(
        'CCM notification',
        fields.map((name) => `hpcc.ccm.${name}`),
      ),
    ).toEqual(['1', '7', String(2 ** 32 + 1), '10.0.0.1', '4791', '96000']);
  });

  test('takes the DSCP and ports of INT from preferences', () => {
    const fields = ['hpcc.int.node_id'];
    expect(one('INT-A', fields, ['-o', 'hpcc.int_port:50009'])).toEqual(['']);
    expect(one('INT-B', fields, ['-o', 'hpcc.int_dscp:9'])).toEqual(['']);
  });

  test('finds nothing malformed in our frames, and a cut stack in a damaged one', () => {
    const whole = frames.map(([, bytes]) => bytes);
    const all = rowsOfFrames(whole, ['hpcc.malformed'], lua);
    expect(all.flat().filter((cell) => cell !== '')).toEqual([]);
    const damaged = frameOf('INT-A').slice();
    damaged[43] = 255;
    const [found] = rowsOfFrames([damaged], ['hpcc.malformed'], lua);
    expect(found).not.toEqual(['']);
  });

  test('finds every IP, UDP and TCP checksum of our frames good', () => {
    const check = ['ip', 'udp', 'tcp'].flatMap((name) => ['-o', `${name}.check_checksum:TRUE`]);
    const fields = ['ip', 'udp', 'tcp'].map((name) => `${name}.checksum.status`);
    // Under CSIG, CCM and IFA tshark sees no IP or no UDP; INT-C has a TCP header it does not see.
    const plain = frames.filter(([name]) => !/^(CSIG|CCM tag|IFA-B|IOAM)/.test(name));
    const rows = rowsOfFrames(
      plain.map(([, bytes]) => bytes),
      fields,
      check,
    );
    const bad = rows.flatMap((row, i) => (row.includes('0') ? [plain[i]?.[0]] : []));
    expect(bad).toEqual([]);
    expect(rows.every(([ip]) => ip === '1')).toBe(true);
    const vectors = fs.readFileSync(fixture('wire', 'telemetry-vectors.pcap'));
    const captured = rowsOfCapture(vectors, fields, check);
    expect(captured.filter((row) => row.includes('0'))).toEqual([]);
  });

  test.each(['ioam6-linux-6.18-transit', 'ioam6-linux-6.18-qdepth'])(
    'agrees with us on the IOAM of %s',
    (name) => {
      const capture = new Uint8Array(fs.readFileSync(fixture('wire', `${name}.pcapng`)));
      const fields = ['id', 'iif', 'eif', 'qdepth'];
      const rows = rowsOfCapture(
        capture,
        fields.map((field) => `ipv6.opt.ioam.trace.node.${field}`),
      ).map((row) => row.map(decimal));
      const ours = [...readCapture(capture)].map((frame) => {
        if (frame instanceof WireFault) throw new Error(frame.toString());
        const hops = hopsOf(frame.bytes, {});
        const keys = ['switchId', 'ingressPortId', 'portId', 'queueBytes'] as const;
        return keys.map((key) => joined(hops, key));
      });
      // tshark shows "not available" as all ones.
      const available = rows.map((row) => row.map((cell) => (cell === '4294967295' ? '' : cell)));
      expect(available).toEqual(ours);
    },
  );
});

/** tshark prints some fields in hexadecimal. */
const decimal = (cell: string): string =>
  cell
    .split(',')
    .map((value) => (value === '' ? '' : String(Number(value))))
    .join(',');

describeIf(
  runs(PYTHON, '-c', 'import scapy.contrib.roce'),
  'scapy',
  `${PYTHON} has no scapy with contrib.roce`,
  () => {
    test('builds the RoCEv2 frames R1, R3 and R4 byte for byte, ICRC included', () => {
      const script = fixture('wire', 'scapy_roce.py');
      const built = execFileSync(PYTHON, [script], { encoding: 'utf8', stdio: 'pipe' });
      const names = ['R1', 'R3 ACK', 'R3 RNR NAK', 'R3 NAK', 'R4'];
      const ours = names.map((name) => {
        const vector = VECTORS.find((candidate) => candidate.name === name);
        return vector === undefined ? name : toHex(vectorFrame(vector));
      });
      expect(built.trim().split('\n')).toEqual(ours);
    });
  },
);
