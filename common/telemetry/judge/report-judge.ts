import { judgeBy } from './clause';
import type { Verdict } from './clause';
import type { JudgeSettings, PacketView } from './packet-view';
import { REPORT_CLAUSES, readReport } from './report-clauses';
import type { Reporting } from './report-clauses';
import { fail, named, pass } from './verdicts';
import type { ClauseName } from './verdicts';

const REPORTED: ClauseName = { clause: 'report-sent-once', section: 'Telemetry Report Events' };
const READABLE: ClauseName = { clause: 'report-readable', section: 'Telemetry Report Format' };

/** Names of all clauses about reports. */
export const REPORT_CLAUSE_NAMES: readonly ClauseName[] = [
  REPORTED,
  READABLE,
  ...REPORT_CLAUSES.map(named),
];

/** Judges the reports of packets that a node must report, one after the other. */
export class ReportJudge {
  readonly #settings: JudgeSettings;
  #previous: Reporting['previous'];

  constructor(settings: JudgeSettings = {}) {
    this.#settings = settings;
  }

  /** @param asked instructions of the packet; undefined where a watchlist has them. */
  judge(
    sent: PacketView,
    asked: Reporting['asked'],
    frames: readonly Uint8Array[],
  ): readonly Verdict[] {
    const [first] = frames;
    if (first === undefined) return [fail(REPORTED, 'no report came to the collector')];
    const once =
      frames.length === 1 ? pass(REPORTED) : fail(REPORTED, `${frames.length} reports came`);
    const read = readReport(first);
    if (typeof read === 'string') return [once, fail(READABLE, read)];
    const [report] = read.group.reports;
    if (report === undefined) return [once, fail(READABLE, 'the group has no report')];
    const settings = this.#settings;
    const reporting = { sent, ...read, report, previous: this.#previous, asked, settings };
    this.#previous = read.group;
    return [once, pass(READABLE), ...judgeBy(REPORT_CLAUSES, reporting)];
  }
}
