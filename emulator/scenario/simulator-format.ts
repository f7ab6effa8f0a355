import { InputError } from '../../common/errors';
import { PS_PER_SECOND, PS_PER_US } from '../../common/units/units';
import type { FlowDocument, TopologyDocument } from './schema';

/**
 * The input files of the HPCC simulator (alibaba-edu/High-Precision-Congestion-Control), so that its
 * users can bring what they have.
 *
 * Topology: `nodes switches links`, the switches' ids, then `src dst rate delay error` per link.
 * Flows: a count, then `src dst priority dport bytes start` per line, start in seconds.
 * Text after the announced number of lines is ignored, as the simulator does, and so are hosts that
 * no link was announced for: the topology that comes with the simulator has such. Host 5 becomes `h5`,
 * switch 0 becomes `s0`; ports count from 1 in the order of the links.
 */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

interface Line {
  readonly file: string;
  readonly number: number;
  readonly fields: readonly string[];
}

export function parseSimulatorTopology(file: TextFile): TopologyDocument {
  const lines = new LineReader(file);
  const counts = lines.next('the counts of nodes, switches and links');
  const [nodes, switches, links] = ['nodes', 'switches', 'links'].map((what, i) =>
    integer(counts, i, what),
  ) as [number, number, number];
  const switchIds = readSwitchIds(lines, switches, nodes);
  const nameOf = (line: Line, i: number): string => {
    const id = integer(line, i, 'a node id');
    if (id >= nodes) throw bad(line, `node id must be below ${nodes}, found ${id}`);
    return switchIds.has(id) ? `s${id}` : `h${id}`;
  };
  const parsed = Array.from({ length: links }, (_, i) => {
    const line = lines.next(`link ${i + 1} of ${links}: src dst rate delay error`);
    return parseLink(line, [nameOf(line, 0), nameOf(line, 1)]);
  });
  const linked = new Set(parsed.flatMap(({ between }) => between));
  const ids = Array.from({ length: nodes }, (_, id) => id);
  return {
    kind: 'custom',
    switches: [...switchIds].map((id) => `s${id}`),
    hosts: ids
      .filter((id) => !switchIds.has(id))
      .map((id) => `h${id}`)
      .filter((host) => linked.has(host)),
    links: parsed,
  };
}

/** Flows with start times counted from the earliest one. */
export function parseSimulatorFlows(file: TextFile, topology: TopologyDocument): FlowDocument[] {
  const hosts = new Set(topology.kind === 'custom' ? topology.hosts : []);
  const lines = new LineReader(file);
  const count = integer(lines.next('the number of flows'), 0, 'the number of flows');
  const flows = Array.from({ length: count }, (_, i) => {
    const line = lines.next(`flow ${i + 1} of ${count}: src dst priority dport bytes start`);
    const host = (at: number): string => {
      const name = `h${integer(line, at, 'a host id')}`;
      if (!hosts.has(name)) throw bad(line, `${name.slice(1)} is no host of the topology`);
      return name;
    };
    const bytes = integer(line, 4, 'bytes');
    if (bytes === 0) throw bad(line, 'bytes must be at least 1');
    return { from: host(0), to: host(1), bytes, start: startTime(line) };
  });
  const first = flows.reduce((least, { start }) => Math.min(least, start), Infinity);
  return flows.map(({ start, ...flow }) => ({ ...flow, startUs: (start - first) / PS_PER_US }));
}

class LineReader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(private readonly file: TextFile) {
    this.#lines = file.text.split(/\r?\n/);
  }

  next(what: string): Line {
    while (this.#at < this.#lines.length) {
      const fields = (this.#lines[this.#at++] ?? '').trim().split(/\s+/);
      if (fields[0] !== '') return { file: this.file.name, number: this.#at, fields };
    }
    throw new InputError(`${this.file.name}:${this.#lines.length}: file ends before ${what}`);
  }
}

function readSwitchIds(lines: LineReader, count: number, nodes: number): Set<number> {
  const ids = new Set<number>();
  while (ids.size < count) {
    const line = lines.next(`the ids of ${count} switches`);
    line.fields.forEach((_, i) => {
      const id = integer(line, i, 'a switch id');
      if (id >= nodes) throw bad(line, `switch id must be below ${nodes}, found ${id}`);
      ids.add(id);
    });
  }
  return ids;
}

type LinkDocument = Extract<TopologyDocument, { kind: 'custom' }>['links'][number];

function parseLink(line: Line, between: [string, string]): LinkDocument {
  return {
    between,
    rateGbps: quantity(line, 2, { bps: 1e-9, Kbps: 1e-6, Mbps: 1e-3, Gbps: 1, Tbps: 1e3 }),
    delayNs: quantity(line, 3, { ns: 1, us: 1e3, ms: 1e6, s: 1e9 }),
    lossRate: Number(line.fields[4] ?? '0') || 0,
  };
}

function integer(line: Line, at: number, what: string): number {
  const text = line.fields[at];
  if (text === undefined || !/^\d+$/.test(text)) {
    throw bad(line, `${what} must be a whole number, found ${text ?? 'nothing'}`);
  }
  return Number(text);
}

function quantity(line: Line, at: number, units: Readonly<Record<string, number>>): number {
  const match = /^(\d+(?:\.\d+)?)([A-Za-z]+)$/.exec(line.fields[at] ?? '');
  const factor = units[match?.[2] ?? ''];
  if (match === null || factor === undefined) {
    const known = Object.keys(units).join(', ');
    throw bad(line, `field ${at + 1} must be a number with ${known}, found ${line.fields[at]}`);
  }
  return Number(match[1]) * factor;
}

/** Seconds with up to 12 decimals, as whole picoseconds without rounding through a double. */
function startTime(line: Line): number {
  const match = /^(\d+)(?:\.(\d{1,12}))?$/.exec(line.fields[5] ?? '');
  if (match === null) {
    throw bad(line, `start must be seconds such as 2.000500000, found ${line.fields[5]}`);
  }
  return Number(match[1]) * PS_PER_SECOND + Number((match[2] ?? '').padEnd(12, '0'));
}

function bad(line: Line, reason: string): InputError {
  return new InputError(`${line.file}:${line.number}: ${reason}`);
}
