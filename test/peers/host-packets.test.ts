import * as path from 'node:path';
import { decodeFrame } from '../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../common/telemetry/decode/decode-settings';
import type { DecodeFormat, Telemetry } from '../../common/telemetry/decode/telemetry';
import { WireFault } from '../../common/wire/fault';
import { TRANSPORT_TYPES } from '../../common/wire/transport-layouts';
import type { CarrierHop } from '../../common/hop/hop';
import { ROOT } from '../support/paths';
import { describeIf } from '../support/requires';
import { rowsOfFrames, tsharkAvailable } from '../support/tshark';
import { hostPackets } from '../support/wire/host-packets';
import type { HostPacket } from '../support/wire/host-packets';
import { LAYOUTS, snakeCase } from '../wire-docs/layout-texts';

const decoded = (
  { bytes, length }: HostPacket,
  wanted: DecodeFormat | 'auto' = 'auto',
): readonly Telemetry[] => {
  const frame = decodeFrame(bytes, length, DEFAULT_DECODE_SETTINGS, wanted);
  if (frame instanceof WireFault) throw new Error(frame.toString());
  return frame.telemetry;
};

/** With the headers of data, too, which the dissector always shows. */
const allLines = (packet: HostPacket) =>
  withDetails([
    ...decoded(packet).filter(({ format }) => format !== 'hpcc' && format !== 'roce'),
    ...decoded(packet, 'hpcc'),
    ...decoded(packet, 'roce'),
  ]);

const withDetails = (all: readonly Telemetry[]) =>
  all.flatMap((found) => ('details' in found ? [found] : []));

describe('packets of every kind that hosts and switches send', () => {
  let packets: readonly HostPacket[];
  beforeAll(async () => {
    packets = await hostPackets();
  });

  test('are decoded without a fault, and all but data without telemetry are shown', () => {
    const faults = packets.flatMap((packet) =>
      decoded(packet).flatMap((found) =>
        'fault' in found ? [`${packet.of}: ${found.fault.toString()}`] : [],
      ),
    );
    expect(faults).toEqual([]);
    const silent = packets.filter((packet) => decoded(packet).length === 0);
    const dataOnly = silent.filter((packet) => isPlainData(packet));
    expect(silent.filter((packet) => !dataOnly.includes(packet)).map(({ of }) => of)).toEqual([]);
  });

  test('are data that switches have trimmed, with INT and without', () => {
    const cut = packets.filter((packet) => isTrimmedData(packet));
    const hasInt = cut.map((packet) => decoded(packet, 'int').length > 0);
    expect(new Set(hasInt)).toEqual(new Set([true, false]));
  });

  test('are trimmed data of RoCEv2 over both versions of IP, which are shown without being asked for', () => {
    const cut = packets.filter((packet) =>
      withDetails(decoded(packet)).some(
        ({ format, details }) => format === 'roce' && details['trimmed'] === true,
      ),
    );
    expect(new Set(cut.map(({ bytes }) => bytes[12]))).toEqual(new Set([0x08, 0x86]));
  });

  test('are of every type of the transport, with every record', () => {
    const lines = packets.flatMap((packet) => withDetails(decoded(packet)));
    const kinds = new Set(lines.map(({ details }) => details['kind']));
    const wanted = TRANSPORT_TYPES.map(({ kind }) => kind);
    expect([...kinds]).toEqual(expect.arrayContaining([...wanted, 'request', 'response']));
    const names = new Set(lines.flatMap(({ details }) => Object.keys(details)));
    const records = [
      'windowBytes',
      'loadRatio',
      'sackFrom1',
      'authCode',
      'digest',
      'trimmed',
      'sentAtNs',
      'token',
      'cookie',
    ];
    expect([...names]).toEqual(expect.arrayContaining([...records, 'hopIndex', 'accumulated']));
  });

  describeIf(tsharkAvailable(), 'tshark', 'tshark is not on PATH', () => {
    const lua = ['-X', `lua_script:${path.join(ROOT, 'docs', 'wireshark', 'hpcc.lua')}`];
    const rowsOf = (fields: readonly string[]): string[][] =>
      rowsOfFrames(packets.map(whole), fields, lua);

    test('are shown by the dissector, and none is malformed', () => {
      const rows = rowsOf(['hpcc.malformed', '_ws.malformed']);
      expect(
        packets.filter((_, i) => rows[i]?.some((cell) => cell !== '')).map(({ of }) => of),
      ).toEqual([]);
    });

    test('are on paths whose uSIDs are shown', () => {
      const rows = rowsOf(['hpcc.usid', 'ipv6.dst']);
      const paths = rows.filter(([usids]) => (usids ?? '').includes(','));
      expect(paths.length).toBeGreaterThan(5);
      for (const [usids = '', destination] of paths) {
        const groups = usids.split(',').map((usid) => Number(usid).toString(16));
        expect(`fd48:5044:${groups.join(':')}::`).toBe(destination);
      }
    });

    test('have the same fields in both', () => {
      const fields = comparedFields();
      const rows = rowsOf(fields.map(({ dissector }) => dissector));
      const differing = packets.flatMap((packet, i) => {
        const lines = allLines(packet);
        return fields.flatMap(({ dissector, values }, column) => {
          const ours = values(lines).map(comparable);
          const theirs = (rows[i]?.[column] ?? '')
            .split(',')
            .filter((text) => text !== '')
            .map(comparable);
          const isSame =
            ours.length === theirs.length && ours.every((value, at) => value === theirs[at]);
          return isSame ? [] : [`${packet.of}: ${dissector} ${theirs.join()} not ${ours.join()}`];
        });
      });
      expect(differing.slice(0, 20)).toEqual([]);
    });
  });
});

/** The frame with its payload, which is zeros. */
function whole({ bytes, length }: HostPacket): Uint8Array {
  const all = new Uint8Array(length);
  all.set(bytes.subarray(0, length));
  return all;
}

const isTrimmedData = (packet: HostPacket): boolean =>
  withDetails(decoded(packet, 'hpcc')).some(
    ({ details }) => details['kind'] === 'data' && details['trimmed'] === true,
  );

/** Data that asked for no telemetry, and acknowledgements over RoCEv2 that carry none. */
function isPlainData({ bytes, length }: HostPacket): boolean {
  const frame = decodeFrame(bytes, length, DEFAULT_DECODE_SETTINGS, 'hpcc');
  if (frame instanceof WireFault) return false;
  const [found] = frame.telemetry;
  if (found !== undefined && 'details' in found) return found.details['kind'] === 'data';
  return frame.transport?.destinationPort === DEFAULT_DECODE_SETTINGS.rocePort;
}

/** Numbers, flags and bytes alike, as both print them. */
function comparable(value: unknown): string {
  const text = String(value === true ? 1 : value === false ? 0 : value).replaceAll(':', '');
  if (/^0x/.test(text)) return BigInt(text).toString();
  if (/^[0-9a-f]{32}$/.test(text)) return BigInt(`0x${text}`).toString();
  const number = Number(text);
  return Number.isInteger(number) ? String(number) : number.toPrecision(12);
}

type Lines = ReturnType<typeof withDetails>;

interface ComparedField {
  readonly dissector: string;
  readonly values: (lines: ReturnType<typeof withDetails>) => readonly unknown[];
}

/** Every field of the layouts, every flag, and of hops what INT, IOAM and IFA have. */
function comparedFields(): ComparedField[] {
  const own = LAYOUTS.filter(({ name }) => !HANDLED.has(name)).flatMap(({ name, fields }) =>
    fields
      .filter(({ as, name: field }) => as !== 'reserved' && !AMBIGUOUS.has(`${name}.${field}`))
      .map(({ name: field }) => ({
        dissector: `hpcc.${name}.${snakeCase(field)}`,
        values: detailsOf(field, name),
      })),
  );
  const flags = [...new Set(TRANSPORT_TYPES.flatMap(({ flags }) => flags.map(({ name }) => name)))];
  return [
    ...own,
    ...flags
      .filter((name) => name !== 'epoch')
      .map((name) => ({
        dissector: `hpcc.transport.${snakeCase(name)}`,
        values: detailsOf(name, 'transport'),
      })),
    ...['opcode', 'destinationQp', 'psn', 'padCount', 'fecn', 'becn', 'ackRequest', 'trimmed'].map(
      (name) => ({
        dissector: `hpcc.roce.${snakeCase(name)}`,
        values: (lines: Lines) =>
          lines
            .filter(({ format }) => format === 'roce')
            .flatMap(({ details }) => details[name] ?? []),
      }),
    ),
    { dissector: 'hpcc.settings', values: detailsOf('settings', 'transport') },
    hopField('int', 'hpcc.int.node_id', ({ switchId }) => switchId),
    hopField('int', 'hpcc.int.egress', ({ portId }) => portId),
    hopField('int', 'hpcc.int.capacity_mbps', ({ capacity }) => (capacity ?? 0) / 1e6),
    hopField('ifa', 'hpcc.ifa.device', ({ switchId }) => switchId),
    {
      dissector: 'hpcc.padding.time',
      values: (lines) => hopsOf(lines, 'padding').map(({ timestamp }) => timestamp),
    },
    {
      dissector: 'hpcc.csig.signal',
      values: (lines) =>
        lines
          .filter(({ format }) => format === 'csig')
          .map(({ details }) => details['signalBucket']),
    },
    {
      // In IPv6 options the trace is Wireshark's own.
      dissector: 'hpcc.ioam.node_id',
      values: (lines) =>
        hopsOf(
          lines.filter(({ details }) => 'echoOfFlow' in details),
          'ioam',
        )
          .reverse()
          .map(({ switchId }) => switchId),
    },
  ];
}

/** Shown in another form, as hops or beside them. */
const HANDLED = new Set(['roce_response']);
/** Two layouts of one line have a field of this name. */
const AMBIGUOUS = new Set(['window.epoch', 'roce_request.epoch']);

const detailsOf =
  (field: string, layout: string): ComparedField['values'] =>
  (lines) =>
    lines
      .filter(({ details }) => isOf(layout, details))
      .map(({ details }) => details[field])
      .filter((value) => value !== undefined);

/** `hpcc` lines and `roce` lines have fields of one name. */
const isOf = (layout: string, details: Readonly<Record<string, unknown>>): boolean =>
  layout === 'transport'
    ? 'flowId' in details
    : layout !== 'roce_request' || details['kind'] === 'request';

const hopsOf = (lines: ReturnType<typeof withDetails>, format: string): CarrierHop[] =>
  lines.filter((line) => line.format === format).flatMap(({ hops }) => hops);

const hopField = (
  format: string,
  dissector: string,
  value: (hop: CarrierHop) => unknown,
): ComparedField => ({
  dissector,
  values: (lines) => {
    const carried = lines
      .filter((line) => line.format === format)
      .flatMap(({ hops }) => [...hops].reverse());
    const answers = lines.filter(({ details }) => details['kind'] === 'switch-response');
    const shown = format === 'int' ? [...carried, ...answers.flatMap(({ hops }) => hops)] : carried;
    return shown.map(value);
  },
});
