import { judgeBy } from './clause';
import type { ClauseOf, Verdict } from './clause';
import { DEX_CLAUSE_NAMES, DexJudge } from './dex-clauses';
import { IOAM_FORM } from './ioam-clauses';
import { NSH_FORM } from './nsh-clauses';
import { viewPacket } from './packet-view';
import type { JudgeSettings, PacketView } from './packet-view';
import type { Reporting } from './report-clauses';
import { REPORT_CLAUSE_NAMES, ReportJudge } from './report-judge';
import {
  MX_SINK_CLAUSES,
  MX_SOURCE_CLAUSES,
  MX_TRANSIT_CLAUSES,
  SINK_CLAUSES,
  SOURCE_CLAUSES,
  TRANSIT_PACKET_CLAUSES,
  XD_CLAUSES,
} from './role-clauses';
import type { Exchange, Passage } from './passage';
import { fail, named, pass } from './verdicts';
import type { ClauseName } from './verdicts';
import { IOAM_NAMESPACE, TraceJudge } from './trace-clauses';
import { TRANSIT_CLAUSES, judgeTransit } from './transit-clauses';

/** Roles of INT that are judged. */
export const INT_ROLES = [
  'transit',
  'source',
  'sink',
  'mx-source',
  'mx-transit',
  'mx-sink',
  'xd',
] as const;

/** Role of a device that speaks INT: one of {@link INT_ROLES}. */
export type IntRole = (typeof INT_ROLES)[number];

/**
 * Role of a device under test, which says what it must do with packets: INT 2.1 section 3, Telemetry Report 2.0; or
 * transit node of IOAM, RFC 9197, 9486 and 9452, or one that exports directly, RFC 9326.
 */
export type JudgedRole = IntRole | TraceRole | 'ioam-export';

/** Role of a transit node of IOAM: of the pre-allocated trace in IPv6, or of the incremental one behind NSH. */
type TraceRole = 'ioam-transit' | 'ioam-incremental';

/** Roles of a device that are judged. */
export const JUDGED_ROLES: readonly JudgedRole[] = [
  ...INT_ROLES,
  'ioam-transit',
  'ioam-incremental',
  'ioam-export',
];

const CLAUSES: Readonly<Record<IntRole, readonly ClauseOf<Passage>[]>> = {
  transit: TRANSIT_PACKET_CLAUSES,
  source: SOURCE_CLAUSES,
  sink: SINK_CLAUSES,
  'mx-source': MX_SOURCE_CLAUSES,
  'mx-transit': MX_TRANSIT_CLAUSES,
  'mx-sink': MX_SINK_CLAUSES,
  xd: XD_CLAUSES,
};

const FORWARDING = 'INT Modes of Operation';
const HEADER = 'INT-MD Metadata Header Format';
const NO_DSCP = -1;

const REPORTING: ReadonlySet<JudgedRole> = new Set([
  'sink',
  'mx-source',
  'mx-transit',
  'mx-sink',
  'xd',
  'ioam-export',
]);

/** True for roles that report every packet that they track. */
export const isReporting = (role: JudgedRole): boolean => REPORTING.has(role);
const isSink = (role: JudgedRole): boolean => role === 'sink' || role === 'mx-sink';

const RETURNED: ClauseName = { clause: 'packet-returned', section: FORWARDING };
/** Traces of IOAM, and the clause that a packet comes back. */
const TRACES = {
  'ioam-transit': {
    returned: { clause: 'ioam-packet-returned', section: 'RFC 8200, 3' },
    clauses: IOAM_FORM.clauses,
    judge: (namespaceId: number) => new TraceJudge(IOAM_FORM, namespaceId),
  },
  'ioam-incremental': {
    returned: { clause: 'nsh-packet-returned', section: 'RFC 8300, 2.2' },
    clauses: NSH_FORM.clauses,
    judge: (namespaceId: number) => new TraceJudge(NSH_FORM, namespaceId),
  },
} as const;

const isTraceRole = (role: JudgedRole): role is TraceRole => role in TRACES;

const DISCARDED = (role: JudgedRole): ClauseName => ({
  clause: `${role}-discards`,
  section: HEADER,
});
/** Names of all clauses of a role, with their sections. */
export function clausesOf(role: JudgedRole): readonly ClauseName[] {
  if (role === 'ioam-export') return DEX_CLAUSE_NAMES;
  if (isTraceRole(role)) {
    const { returned, clauses } = TRACES[role];
    return [returned, ...clauses.map(named)];
  }
  return [
    RETURNED,
    ...(isSink(role) ? [DISCARDED(role)] : []),
    ...(role === 'transit' ? TRANSIT_CLAUSES.map(named) : []),
    ...CLAUSES[role].map(named),
    ...(isReporting(role) ? REPORT_CLAUSE_NAMES : []),
  ];
}

/** Judges what a device in one role makes of packets, one after the other, with the reports that it sends. */
export class RoleJudge {
  readonly #role: JudgedRole;
  readonly #settings: JudgeSettings;
  /** A sink may leave the DSCP of INT in a packet that has none any more. */
  readonly #behindSink: JudgeSettings;
  readonly #trace: { judge(sent: Uint8Array, returned: Uint8Array): readonly Verdict[] | string };
  readonly #dex: DexJudge;
  readonly #reports: ReportJudge;

  constructor(role: JudgedRole, settings: JudgeSettings = {}) {
    this.#role = role;
    this.#settings = settings;
    this.#reports = new ReportJudge(settings);
    this.#behindSink = { ...settings, intDscp: NO_DSCP };
    const { ioamNamespace = IOAM_NAMESPACE } = settings;
    this.#trace = TRACES[isTraceRole(role) ? role : 'ioam-transit'].judge(ioamNamespace);
    this.#dex = new DexJudge(ioamNamespace);
  }

  judge(exchange: Exchange): readonly Verdict[] {
    const role = this.#role;
    if (role === 'ioam-export') return this.#dex.judge(exchange);
    return isTraceRole(role) ? this.#judgeTrace(role, exchange) : this.#judgeInt(role, exchange);
  }

  #judgeTrace(role: TraceRole, { sent, returned }: Exchange): Verdict[] {
    const name = TRACES[role].returned;
    const [frame] = returned;
    if (frame === undefined) return [fail(name, 'no packet came back')];
    if (returned.length > 1) return [fail(name, `${returned.length} packets came back`)];
    const verdicts = this.#trace.judge(sent, frame);
    if (typeof verdicts === 'string') return [fail(name, verdicts)];
    return [pass(name), ...verdicts];
  }

  #judgeInt(role: IntRole, { sent, returned, reports }: Exchange): Verdict[] {
    const before = viewPacket(sent, this.#settings);
    if (before === undefined) return [fail(RETURNED, 'the packet that was sent is no IP')];
    const wantsReport = reports !== undefined && isReporting(role);
    return [
      ...this.#judgePacket(role, before, returned),
      ...(wantsReport ? this.#judgeReports(before, returned, reports) : []),
    ];
  }

  #judgePacket(role: IntRole, sent: PacketView, frames: readonly Uint8Array[]): Verdict[] {
    if (isSink(role) && sent.int?.discard === true) {
      const name = DISCARDED(role);
      return [frames.length === 0 ? pass(name) : fail(name, 'a packet with D came back')];
    }
    const [frame] = frames;
    if (frame === undefined) return [fail(RETURNED, 'no packet came back')];
    const once =
      frames.length === 1 ? pass(RETURNED) : fail(RETURNED, `${frames.length} packets came back`);
    const returned = viewPacket(frame, isSink(role) ? this.#behindSink : this.#settings, sent);
    if (returned === undefined) return [fail(RETURNED, 'what came back is no IP')];
    // What nodes of this version do with others, the specification does not say.
    if (role === 'transit' && sent.int !== undefined && sent.int.version !== 2) return [once];
    const passage = { sent, returned };
    const more = role === 'transit' ? judgeTransit(sent.bytes, frame, this.#settings) : [];
    // Without INT on both sides there is nothing else to say.
    if (more.some(({ clause }) => clause === RETURNED.clause)) return more;
    return [once, ...more, ...judgeBy(CLAUSES[role], passage)];
  }

  #judgeReports(
    sent: PacketView,
    returned: readonly Uint8Array[],
    frames: readonly Uint8Array[],
  ): readonly Verdict[] {
    const [back] = returned;
    const view = back === undefined ? undefined : viewPacket(back, this.#settings);
    return this.#reports.judge(sent, askedOf(sent, view), frames);
  }
}

/** Instructions of the packet as it came, or as its source made it. */
function askedOf(sent: PacketView, returned: PacketView | undefined): Reporting['asked'] {
  const int = sent.int ?? returned?.int;
  if (int === undefined) return undefined;
  return { bitmap: int.bitmap, domainId: int.domainId, ds: int.dsInstruction };
}
