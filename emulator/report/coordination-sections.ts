import type { Result } from '../result/result';
import type { CoordinationRecord } from '../result/coordination-record';

/** More lines than this are for `result.json`. */
const LINES_MAX = 400;

/** HTML of what a report shows of workloads and coordination; empty where there is neither. */
export function coordinationSections(
  { collectives, coordination }: Result,
  escape: (text: string) => string,
): string[] {
  const sections: string[] = [];
  if (collectives !== undefined) {
    const rows = collectives.map(({ name, kind, connections, bytes, startUs, completionUs }) => [
      `${name} (${kind})`,
      String(connections),
      String(bytes),
      startUs.toFixed(1),
      completionUs?.toFixed(1) ?? 'unfinished',
    ]);
    const heads = ['workload', 'connections', 'bytes', 'start (us)', 'completion (us)'];
    sections.push(section('Workloads', table([heads, ...rows], escape)));
  }
  if (coordination === undefined) return sections;
  sections.push(section('Coordination', table(countRows(coordination), escape)));
  sections.push(section('What happened, step by step', logTable(coordination, escape)));
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
    count('reductions of untagged flows with a light path', record.needlessReductions),
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

function logTable(
  { log, logOmitted }: CoordinationRecord,
  escape: (text: string) => string,
): string {
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
  const more = rest > 0 ? `<p>and ${rest} more</p>` : '';
  return table([['us', 'what', 'where', 'flow', ''], ...shown], escape) + more;
}

const section = (title: string, body: string): string =>
  `<section><h2>${title}</h2>${body}</section>`;

function table(rows: readonly (readonly string[])[], escape: (text: string) => string): string {
  const row = (cells: readonly string[], i: number): string => {
    const tag = i === 0 ? 'th' : 'td';
    return `<tr>${cells.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>`;
  };
  return `<table>${rows.map(row).join('')}</table>`;
}
