import type { CoordinationRecord } from '../../result/coordination-record';
import type { Result } from '../../result/result';
import type { PageSection } from './page-data';

/** More lines than this are for `result.json`. */
const LINES_MAX = 400;

/** Sections of a report on workloads and coordination; empty where there is neither. */
export function coordinationSections({ collectives, coordination }: Result): PageSection[] {
  const sections: PageSection[] = [];
  if (collectives !== undefined) {
    const rows = collectives.map(({ name, kind, connections, bytes, startUs, completionUs }) => [
      `${name} (${kind})`,
      String(connections),
      String(bytes),
      startUs.toFixed(1),
      completionUs?.toFixed(1) ?? 'unfinished',
    ]);
    const heads = ['workload', 'connections', 'bytes', 'start (us)', 'completion (us)'];
    sections.push({ title: 'Workloads', rows: [heads, ...rows] });
  }
  if (coordination === undefined) return sections;
  sections.push({ title: 'Coordination', rows: countRows(coordination) });
  sections.push(logSection(coordination));
  return sections;
}

function countRows(record: CoordinationRecord): string[][] {
  const { sent, received, refused } = record;
  const count = (name: string, value: number): string[] => [name, String(value)];
  return [
    ['mode', record.mode],
    count('data packets at their receivers', record.packets),
    count('of these reordered', record.reordered),
    count('changes of path at switches', record.reroutes),
    count('of these of packets with the CC indicator', record.taggedReroutes),
    count('changes of path at senders', record.sourceReroutes),
    count('reductions below three quarters of the fair rate', record.reductionsBelowFair),
    count('type 1 sent', sent.controlRequired),
    count('type 2 sent', sent.controlReleased),
    count('type 3 sent', sent.reroutingRequired),
    count('type 1 received', received.controlRequired),
    count('type 2 received', received.controlReleased),
    count('type 3 received', received.reroutingRequired),
    count('times that a flow was tagged', record.tagged),
    count('released by type 2', record.released),
    count('released by timeout', record.expired),
    ...Object.entries(refused).map(([reason, value]) => count(`refused: ${reason}`, value)),
  ];
}

function logSection({ log, logOmitted }: CoordinationRecord): PageSection {
  const shown = log
    .slice(0, LINES_MAX)
    .map(({ atUs, what, node, flow, detail }) => [
      atUs.toFixed(3),
      what,
      node,
      String(flow),
      detail,
    ]);
  const rest = log.length - shown.length + logOmitted;
  return {
    title: 'What happened, step by step',
    rows: [['us', 'what', 'where', 'flow', 'detail'], ...shown],
    ...(rest > 0 && { text: [`and ${rest} more`] }),
  };
}
