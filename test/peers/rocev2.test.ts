import { execFileSync, spawnSync } from 'node:child_process';
import type { Packet } from '../../common/packet/packet';
import type { RoceConfig } from '../../host-agent/roce/queue-pair/roce-config';
import { toHex } from '../support/hex';
import { flowTo } from '../support/hosts';
import { networkKeys } from '../support/notifications';
import { PairDriver } from '../support/pair-driver';
import { fixture } from '../support/paths';
import { describeIf } from '../support/requires';
import { marked, pushingSwitch, roceHost, withoutInt, writeBytes } from '../support/roce-hosts';
import { rowsOfFrames, tsharkAvailable } from '../support/tshark';

/** Python with Debian's python3-scapy: `apt-get install python3-scapy`. */
const PYTHON = '/usr/bin/python3';
const MICROSECOND = 1_000_000;

const runs = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args).status === 0;

/**
 * Packets of two hosts for a flow of 1000 bytes, as a NIC sees them: without telemetry. The third packet is
 * lost, and the receiver has no buffer at first.
 */
function exchange(given: Partial<RoceConfig>): readonly Uint8Array[] {
  const ready = (_flow: number, now: number): boolean => now > 10 * MICROSECOND;
  const shared = { initialPsn: () => 0xff_fffe, readSource: () => writeBytes, ...given };
  const hosts = [roceHost(1, shared), roceHost(2, { ...shared, isReceiveReady: ready })] as const;
  const push = pushingSwitch();
  let count = 0;
  const network = (from: 0 | 1, packet: Packet, now: number): Packet | undefined => {
    if (++count === 3) return undefined;
    const pushed = push(from, packet, now);
    return isMarkable(packet) ? marked(pushed) : pushed;
  };
  const driver = new PairDriver(hosts, { delay: 2 * MICROSECOND, network });
  hosts[0].startFlow(0, { ...flowTo(2, 5, 1000), payload: writeBytes });
  driver.run(1e12);
  return driver.sent.map(({ packet }) => withoutInt(packet).bytes);
}

/** ECN-capable: data of hosts under coordination. */
const isMarkable = ({ bytes }: Packet): boolean => ((bytes[15] as number) & 3) === 2;

const EXCHANGES: readonly (readonly [string, Partial<RoceConfig>])[] = [
  ['WRITE', { operation: 'write' }],
  ['READ', { operation: 'read' }],
  ['SEND', { operation: 'send' }],
  ['WRITE with probes', { operation: 'write', feedback: { collectBy: 'probe' } }],
  ['READ with probes', { operation: 'read', feedback: { collectBy: 'probe' } }],
  ['WRITE with marks', { operation: 'write', coordination: { keys: networkKeys() } }],
  ['READ with marks', { operation: 'read', coordination: { keys: networkKeys() } }],
  ['a refused WRITE', { operation: 'write', regionBytes: 10 }],
];

const FIELDS = [
  '_ws.malformed',
  '_ws.expert',
  'ip.checksum.status',
  '_ws.col.Info',
  ...['opcode', 'destqp', 'psn'].map((name) => `infiniband.bth.${name}`),
  'infiniband.invariant.crc',
  'infiniband.aeth.syndrome.opcode',
] as const;

/** Fields of a frame by tshark, by name. */
type Row = Readonly<Record<string, string>>;

/** One row per frame. */
function tshark(frames: readonly Uint8Array[]): Row[] {
  const options = ['-o', 'ip.check_checksum:TRUE', '-E', 'occurrence=f'];
  return rowsOfFrames(frames, FIELDS, options).map((cells) =>
    Object.fromEntries(FIELDS.map((name, i) => [name, cells[i] ?? ''])),
  );
}

describeIf(tsharkAvailable(), 'tshark', 'tshark is not on PATH', () => {
  const framesOf = new Map<string, readonly Uint8Array[]>();
  const rowsOf = new Map<string, readonly Row[]>();
  const infos = (exchanged: string): string[] =>
    (rowsOf.get(exchanged) ?? []).map((row) =>
      (row['_ws.col.Info'] ?? '').replace(/\s*QP=\S+\s*/, ' ').trim(),
    );

  beforeAll(() => {
    for (const [name, config] of EXCHANGES) framesOf.set(name, exchange(config));
    const rows = tshark([...framesOf.values()].flat());
    for (const [name, frames] of framesOf) rowsOf.set(name, rows.splice(0, frames.length));
  });

  test.each(EXCHANGES)('finds nothing to complain about in %s', (name) => {
    const rows = rowsOf.get(name) ?? [];
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.map((row) => `${row['_ws.malformed']}${row['_ws.expert']}`).join('')).toBe('');
    expect(rows.every((row) => row['ip.checksum.status'] === '1')).toBe(true);
  });

  test.each(EXCHANGES)('reads opcodes, queue pairs, PSNs and ICRCs of %s as we do', (name) => {
    const ours = (framesOf.get(name) ?? []).map((bytes) => {
      const number = (from: number, to: number): number =>
        parseInt(toHex(bytes.subarray(from, to)), 16);
      const icrc = number(bytes.length - 4, bytes.length);
      return [number(42, 43), number(47, 50), number(51, 54), icrc];
    });
    const cells = (row: Row): string[] => FIELDS.slice(4, 8).map((field) => row[field] ?? '');
    const theirs = (rowsOf.get(name) ?? []).map(cells);
    // tshark looks for no ICRC behind opcodes and records that are ours alone, nor behind a CNP.
    const seen = (row: readonly number[], i: number) =>
      theirs[i]?.[3] === '' ? row.slice(0, 3) : row;
    const found = theirs.map((row) => row.filter((cell) => cell !== '').map(Number));
    expect(found).toEqual(ours.map(seen));
    const silent = ours.filter((_row, i) => theirs[i]?.[3] === '').map(([opcode]) => opcode);
    expect([0xc0, 0xc1, 0x81, 0x11]).toEqual(expect.arrayContaining([...new Set(silent)]));
  });

  test.each([
    ['WRITE', ['Write First', 'Write Middle', 'Write Last Immediate']],
    ['READ', ['Read Request', 'Read Response First', 'Read Response Middle', 'Read Response Last']],
  ])('knows the packets of %s by name', (name, parts) => {
    for (const part of parts) expect(infos(name)).toContain(`RC RDMA ${part}`);
  });

  test('knows our acknowledgements and why they refuse', () => {
    expect(infos('WRITE')).toContain('RC Acknowledge');
    expect(infos('WRITE')).toContain('RC Acknowledge [PSN Sequence Error]');
    expect(infos('a refused WRITE')).toContain('RC Acknowledge [Remote Access Error]');
    // 1: receiver not ready.
    const kinds = rowsOf.get('SEND')?.map((row) => row['infiniband.aeth.syndrome.opcode']);
    expect(kinds).toContain('1');
  });
});

describeIf(
  runs(PYTHON, '-c', 'import scapy.contrib.roce'),
  'scapy',
  `${PYTHON} has no scapy with contrib.roce`,
  () => {
    test('computes the ICRC of every packet of all exchanges as we do, and builds our CNPs', () => {
      const frames = EXCHANGES.flatMap(([, config]) => exchange(config)).map(toHex);
      const script = fixture('wire', 'scapy_roce_icrc.py');
      const input = `${frames.join('\n')}\n`;
      const built = execFileSync(PYTHON, [script], { encoding: 'utf8', stdio: 'pipe', input });
      expect(built.trim().split('\n')).toEqual(frames);
      expect(frames.length).toBeGreaterThan(60);
      expect(frames.filter((frame) => frame.slice(84, 86) === '81').length).toBeGreaterThan(1);
    });
  },
);
