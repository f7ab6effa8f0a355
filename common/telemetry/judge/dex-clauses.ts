import { copyOf, readUint16, readUint24 } from '../../wire/bytes';
import { IPV6_OPTION_IOAM } from '../../wire/ioam/ioam-option';
import { ETHERNET_LENGTH, ETHERTYPE_IPV6 } from '../../wire/ip/ethernet';
import { IPV6_LENGTH, NEXT_HOP_BY_HOP } from '../../wire/ip/ipv6';
import { equal } from './clause';
import type { Finding, Verdict } from './clause';
import { hex, viewPacket } from './packet-view';
import type { Exchange } from './passage';
import { readReport } from './report-clauses';
import type { Reporting } from './report-clauses';
import { REPORT_CLAUSE_NAMES, ReportJudge } from './report-judge';
import { fail, pass } from './verdicts';
import type { ClauseName } from './verdicts';

const OPTIONS_AT = ETHERNET_LENGTH + IPV6_LENGTH;
const HOP_LIMIT_AT = ETHERNET_LENGTH + 7;
const DIRECT_EXPORT = 4;
/** Type and length of an option, reserved byte and type of IOAM. */
const OPTION_HEAD = 4;
const DEX_HEADER_LENGTH = 8;

const RETURNED: ClauseName = { clause: 'dex-packet-returned', section: 'RFC 8200, 3' };
const HOP_LIMIT: ClauseName = { clause: 'dex-hop-limit-decremented', section: 'RFC 8200, 3' };
const UNCHANGED: ClauseName = { clause: 'dex-packet-unchanged', section: 'RFC 9326, 3.1' };
const UNKNOWN: ClauseName = {
  clause: 'dex-unknown-namespace-not-exported',
  section: 'RFC 9197, 4.3',
};
const OPTION: ClauseName = { clause: 'dex-report-has-option', section: 'RFC 9326, 3.2' };

/** Names of all clauses for nodes that export directly. */
export const DEX_CLAUSE_NAMES: readonly ClauseName[] = [
  RETURNED,
  HOP_LIMIT,
  UNCHANGED,
  UNKNOWN,
  OPTION,
  ...REPORT_CLAUSE_NAMES,
];

/** The Direct Export option of a packet. */
interface DexView {
  readonly namespaceId: number;
  readonly traceType: number;
  /** The whole option. */
  readonly bytes: Uint8Array;
}

/** Finds the option among the hop-by-hop options of a frame; undefined where there is none. */
function viewDex(bytes: Uint8Array): DexView | undefined {
  if (bytes.length < OPTIONS_AT + 8 || readUint16(bytes, 12) !== ETHERTYPE_IPV6) return undefined;
  if (bytes[ETHERNET_LENGTH + 6] !== NEXT_HOP_BY_HOP) return undefined;
  const end = Math.min(bytes.length, OPTIONS_AT + 8 + 8 * (bytes[OPTIONS_AT + 1] as number));
  for (let at = OPTIONS_AT + 2; at + OPTION_HEAD + DEX_HEADER_LENGTH <= end;) {
    const length = bytes[at] === 0 ? 1 : 2 + (bytes[at + 1] as number);
    if (bytes[at] === IPV6_OPTION_IOAM && bytes[at + 3] === DIRECT_EXPORT) {
      const dexAt = at + OPTION_HEAD;
      return {
        namespaceId: readUint16(bytes, dexAt),
        traceType: readUint24(bytes, dexAt + 4),
        bytes: bytes.subarray(at, at + length),
      };
    }
    at += length;
  }
  return undefined;
}

/** Bits of the trace type, and the metadata of INT that tell what they ask for. */
const ASKED: readonly (readonly [traceBits: number, intBits: number])[] = [
  [0x400000, 0x4000],
  [0x300000, 0x0c00],
  [0x080000, 0x2000],
  [0x020000, 0x1000],
  [0x004000, 0x0200],
  [0x001000, 0x0080],
];

function askedOf(traceType: number): Reporting['asked'] {
  const bits = ASKED.filter(([trace]) => (traceType & trace) !== 0).map(([, int]) => int);
  return { bitmap: bits.reduce((all, bit) => all | bit, 0), domainId: 0, ds: 0 };
}

const verdictOf = (name: ClauseName, found: Finding): Verdict =>
  typeof found === 'string' ? fail(name, found) : pass(name);

/**
 * Judges a transit node that reports packets with the Direct Export option (RFC 9326) as Telemetry Reports 2.0; the
 * RFC leaves the format open.
 */
export class DexJudge {
  readonly #namespaceId: number;
  readonly #reports = new ReportJudge();

  /** @param namespaceId the one that the node exports. */
  constructor(namespaceId: number) {
    this.#namespaceId = namespaceId;
  }

  judge({ sent, returned, reports }: Exchange): readonly Verdict[] {
    const dex = viewDex(sent);
    if (dex === undefined) return [fail(RETURNED, 'the packet that was sent asks for no export')];
    return [
      ...packetVerdicts(sent, returned),
      ...(reports === undefined ? [] : this.#judgeReports(sent, dex, reports)),
    ];
  }

  #judgeReports(sent: Uint8Array, dex: DexView, reports: readonly Uint8Array[]): Verdict[] {
    if (dex.namespaceId !== this.#namespaceId) {
      return [verdictOf(UNKNOWN, equal('reports', 0, reports.length))];
    }
    const view = viewPacket(sent);
    if (view === undefined) return [];
    const verdicts = this.#reports.judge(view, askedOf(dex.traceType), reports);
    const [first] = reports;
    const read = first === undefined ? undefined : readReport(first);
    const inner = typeof read === 'object' ? read.group.reports[0]?.inner : undefined;
    return inner === undefined
      ? [...verdicts]
      : [...verdicts, verdictOf(OPTION, hasOption(inner, dex))];
  }
}

function packetVerdicts(sent: Uint8Array, returned: readonly Uint8Array[]): Verdict[] {
  const [frame] = returned;
  if (frame === undefined) return [fail(RETURNED, 'no packet came back')];
  if (returned.length > 1) return [fail(RETURNED, `${returned.length} packets came back`)];
  const rest = (bytes: Uint8Array): string => {
    const copy = copyOf(bytes, ETHERNET_LENGTH);
    copy[HOP_LIMIT_AT - ETHERNET_LENGTH] = 0;
    return hex(copy);
  };
  const limit = (bytes: Uint8Array): number => bytes[HOP_LIMIT_AT] ?? 0;
  return [
    pass(RETURNED),
    verdictOf(HOP_LIMIT, equal('hop limit', limit(sent) - 1, limit(frame))),
    verdictOf(UNCHANGED, equal('packet', rest(sent), rest(frame))),
  ];
}

/** Flow id and sequence number join reports of several nodes, so that the option must be there as a whole. */
const hasOption = (inner: Uint8Array, { bytes }: DexView): Finding =>
  hex(inner).includes(hex(bytes)) || `option: wanted ${hex(bytes)} in the packet of the report`;
