import type { z } from 'zod';
import { delayNs, payloadBytes, rateGbps } from '../workload/quantities';
import { PS_PER_US } from '../../common/units/units';
import { RATE_FORMS, TIME_FORMS, parseDataRate, parseTime } from './ns3-quantities';
import type { FlowDocument, TopologyDocument } from './schema';
import { LineReader, bad, integer, leftOver } from './simulator-lines';
import type { Line, TextFile } from './simulator-lines';

/**
 * The input files of the HPCC simulator (alibaba-edu/High-Precision-Congestion-Control) and of the simulators
 * made from it, so that their users can bring what they have.
 *
 * Topology: a header, the switches' ids, then `src dst rate delay error` per link. The header is recognised
 * by its fields:
 *
 *     nodes switches links                               HPCC, conweave, astra-sim
 *     nodes switches tors links [rates of two layers]    PowerTCP and what follows it
 *     nodes gpus nvswitches switches links [type] [n]    SimAI; ids of NVSwitches come first
 *
 * Flows: a count, then `src dst priority dport bytes start` per line, or without `dport` as conweave has
 * it, start in seconds. Host 5 becomes `h5`, switch 0 becomes `s0`, NVSwitch 8 `nv8`; ports count from 1 in
 * the order of the links. Hosts that no link was announced for are left out: the topology that comes with the
 * simulator has such.
 */
export interface SimulatorTopology {
  readonly topology: CustomTopology;
  /** Contents of the file that the topology leaves out, one sentence each. */
  readonly warnings: readonly string[];
}

type CustomTopology = Extract<TopologyDocument, { kind: 'custom' }>;
type LinkDocument = CustomTopology['links'][number];

interface Header {
  readonly nodes: number;
  readonly nvSwitches: number;
  readonly switches: number;
  readonly links: number;
}

/** @throws InputError naming file and line. */
export function parseSimulatorTopology(file: TextFile): SimulatorTopology {
  const lines = new LineReader(file);
  const { nodes, nvSwitches, switches, links } = readHeader(lines);
  const ids = readSwitchIds(lines, nvSwitches + switches, nodes);
  const names = new Map(ids.map((id, i) => [id, i < nvSwitches ? `nv${id}` : `s${id}`]));
  const nameOf = (line: Line, i: number): string => {
    const id = integer(line, i, 'a node id');
    if (id >= nodes) throw bad(line, `node id must be below ${nodes}, found ${id}`);
    return names.get(id) ?? `h${id}`;
  };
  const parsed = Array.from({ length: links }, (_, i) => {
    const line = lines.next(`link ${i + 1} of ${links}: src dst rate delay error`);
    return parseLink(line, [nameOf(line, 0), nameOf(line, 1)]);
  });
  const linked = new Set(parsed.flatMap(({ between }) => between));
  const isLinked = (name: string): boolean => linked.has(name);
  const hosts = Array.from({ length: nodes }, (_, id) => id)
    .filter((id) => !names.has(id))
    .map((id) => `h${id}`);
  const unlinked = [...names.values()].filter((name) => !isLinked(name));
  return {
    topology: {
      kind: 'custom',
      switches: [...names.values()].filter(isLinked),
      hosts: hosts.filter(isLinked),
      links: parsed,
    },
    warnings: [
      ...leftOver(lines.rest(), { count: links, what: 'link' }),
      ...(unlinked.length > 0
        ? [`${file.name}: no link leads to ${unlinked.join(', ')}, so the network is without`]
        : []),
    ],
  };
}

export interface SimulatorFlows {
  /** Flows with start times counted from the earliest one. */
  readonly flows: readonly FlowDocument[];
  readonly warnings: readonly string[];
}

/** @throws InputError naming file and line. */
export function parseSimulatorFlows(file: TextFile, topology: TopologyDocument): SimulatorFlows {
  const hosts = new Set(topology.kind === 'custom' ? topology.hosts : []);
  const lines = new LineReader(file);
  const header = lines.next('the number of flows');
  const count = integer(header, 0, 'the number of flows');
  if (header.fields.length > 1) {
    throw bad(header, `wanted the number of flows alone, found ${header.fields.join(' ')}`);
  }
  if (count === 0) throw bad(header, 'wanted at least 1 flow, found 0');
  const flows = Array.from({ length: count }, (_, i) => {
    const line = lines.next(`flow ${i + 1} of ${count}: src dst priority dport bytes start`);
    return parseFlow(line, hosts);
  });
  const first = flows.reduce((least, { start }) => Math.min(least, start), Infinity);
  const priorities = new Set(flows.map(({ priority }) => priority));
  return {
    flows: flows.map(({ start, priority: _, ...flow }) => ({
      ...flow,
      startUs: (start - first) / PS_PER_US,
    })),
    warnings: [
      ...leftOver(lines.rest(), { count, what: 'flow' }),
      ...(priorities.size > 1
        ? [
            `${file.name}: priorities (${[...priorities].join(', ')}) are not used: all flows have one`,
          ]
        : []),
    ],
  };
}

/** Names of the numbers at the beginning of each header, by their count. */
const HEADERS: Readonly<Record<number, readonly (keyof Header | undefined)[]>> = {
  3: ['nodes', 'switches', 'links'],
  4: ['nodes', 'switches', undefined, 'links'],
  5: ['nodes', undefined, 'nvSwitches', 'switches', 'links'],
};
const HEADER_FORMS =
  '3 numbers (nodes switches links), 4 (nodes switches tors links, and perhaps two rates behind), or 5 and a type ' +
  '(nodes gpus nvswitches switches links type)';

function readHeader(lines: LineReader): Header {
  const line = lines.next('the counts of nodes, switches and links');
  const { fields } = line;
  const numbers = fields.findIndex((field) => !/^\d+$/.test(field));
  const count = numbers < 0 ? fields.length : numbers;
  const rates = fields.slice(4);
  const isWithRates =
    count >= 4 && rates.length === 2 && rates.every((text) => parseDataRate(text) !== undefined);
  const names = HEADERS[isWithRates ? 4 : count];
  const typed = isWithRates ? [] : fields.slice(count);
  // A type stands behind five numbers only, and SimAI's newer one has a number behind it.
  const isTyped = typed.length === 0 || (count === 5 && /^[A-Za-z]/.test(typed[0] ?? ''));
  if (names === undefined || !isTyped || typed.length > 2) {
    throw bad(line, `wanted ${HEADER_FORMS}; found ${fields.length} fields: ${fields.join(' ')}`);
  }
  const header = { nodes: 0, nvSwitches: 0, switches: 0, links: 0 };
  names.forEach((name, i) => {
    if (name !== undefined) header[name] = integer(line, i, name);
  });
  const { nodes, nvSwitches, switches, links } = header;
  if (nvSwitches + switches >= nodes) {
    const found = `${nvSwitches + switches} switches of ${nodes} nodes`;
    throw bad(line, `wanted fewer switches than nodes, so that there are hosts; found ${found}`);
  }
  if (links === 0) throw bad(line, 'wanted at least 1 link, found 0');
  return header;
}

function readSwitchIds(lines: LineReader, count: number, nodes: number): number[] {
  const ids = new Set<number>();
  while (ids.size < count) {
    const line = lines.next(`the ids of ${count} switches`);
    const other = line.fields.find((field) => !/^\d+$/.test(field));
    if (other !== undefined) {
      throw bad(line, `wanted the ids of ${count} switches, found ${ids.size} before ${other}`);
    }
    line.fields.forEach((_, i) => {
      const id = integer(line, i, 'a switch id');
      if (id >= nodes) throw bad(line, `switch id must be below ${nodes}, found ${id}`);
      if (ids.has(id)) throw bad(line, `switch id ${id} appears twice`);
      if (ids.size === count) {
        throw bad(line, `wanted the ids of ${count} switches, and there is ${id} behind them`);
      }
      ids.add(id);
    });
  }
  return [...ids];
}

const LINK_FIELDS = ['src', 'dst', 'rate', 'delay', 'error'] as const;

function parseLink(line: Line, between: [string, string]): LinkDocument {
  const { fields } = line;
  if (fields.length > LINK_FIELDS.length) {
    throw bad(line, `wanted ${LINK_FIELDS.join(' ')}, found ${fields.length} fields`);
  }
  if (between[0] === between[1]) throw bad(line, `both ends of the link are ${between[0]}`);
  const rate = parseDataRate(fields[2] ?? '');
  if (rate === undefined) throw bad(line, `field 3 must be ${RATE_FORMS}; found ${at(line, 2)}`);
  const delay = parseTime(fields[3] ?? '', 'ns');
  if (delay === undefined) throw bad(line, `field 4 must be ${TIME_FORMS}; found ${at(line, 3)}`);
  const lossRate = Number(fields[4] ?? '0');
  if (!(lossRate >= 0 && lossRate <= 1)) {
    throw bad(line, `field 5 must be a loss rate from 0 to 1, found ${at(line, 4)}`);
  }
  return {
    between,
    rateGbps: within(line, rateGbps, { value: rate, field: 2, what: 'rate' }),
    delayNs: within(line, delayNs, { value: delay, field: 3, what: 'delay' }),
    lossRate,
  };
}

/** Fields of a flow by their number: where bytes and start stand. */
const FLOW_FORMS: Readonly<Record<number, FlowForm>> = {
  5: { bytes: 3, start: 4 },
  6: { port: 3, bytes: 4, start: 5 },
};
interface FlowForm {
  readonly port?: number;
  readonly bytes: number;
  readonly start: number;
}
const PORT_MAX = 0xffff;
const OLDER = 'flows of the DCQCN simulator (packets, start, end) are not read';

function parseFlow(line: Line, hosts: ReadonlySet<string>) {
  const form = FLOW_FORMS[line.fields.length];
  if (form === undefined) {
    const wanted = 'src dst priority dport bytes start, or the same without dport';
    throw bad(line, `wanted ${wanted}; found ${line.fields.length} fields`);
  }
  const host = (at: number): string => {
    const name = `h${integer(line, at, 'a host id')}`;
    if (!hosts.has(name)) throw bad(line, `${name.slice(1)} is no host of the topology`);
    return name;
  };
  const [from, to] = [host(0), host(1)];
  // Simulators older than HPCC's have packets, start and end in these places.
  if (form.port !== undefined && integer(line, form.port, 'dport') > PORT_MAX) {
    throw bad(line, `dport must be at most ${PORT_MAX}, found ${at(line, form.port)}; ${OLDER}`);
  }
  if (from === to) throw bad(line, `source and destination are both ${from.slice(1)}`);
  const bytes = integer(line, form.bytes, 'bytes');
  if (bytes === 0) throw bad(line, 'bytes must be at least 1');
  within(line, payloadBytes, { value: bytes, field: form.bytes, what: 'bytes' });
  const priority = line.fields[2] ?? '';
  return { from, to, bytes, priority, start: startTime(line, form.start) };
}

/** Seconds as whole picoseconds, without rounding through a double. */
function startTime(line: Line, field: number): number {
  const text = line.fields[field] ?? '';
  const start = /[a-z]$/.test(text) ? undefined : parseTime(text, 'ps');
  if (start === undefined || !(start >= 0 && start <= Number.MAX_SAFE_INTEGER)) {
    throw bad(line, `start must be seconds such as 2.000500000, found ${text || 'nothing'}`);
  }
  return Math.round(start);
}

interface Quantity {
  readonly value: number;
  /** From 0. */
  readonly field: number;
  readonly what: string;
}

/** The value, if scenarios take it. */
function within(line: Line, schema: z.ZodNumber, { value, field, what }: Quantity): number {
  const result = schema.safeParse(value);
  if (result.success) return value;
  const [issue] = result.error.issues;
  throw bad(line, `${what} ${issue?.message ?? 'is out of range'}, found ${at(line, field)}`);
}

const at = ({ fields }: Line, field: number): string => fields[field] ?? 'nothing';
