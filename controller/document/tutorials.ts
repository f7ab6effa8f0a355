import { z } from 'zod';
import { parseLocated } from '../../common/document/located-document';
import { InputError } from '../../common/errors';
import { withHostPorts } from './host-ports';
import type { NetworkText } from './schema';

/** Mininet of the tutorials starts its switches from these ports on. */
const FIRST_GRPC_PORT = 50_051;
const FIRST_THRIFT_PORT = 9090;

/** Links without a bandwidth have no limit in Mininet; telemetry still wants a number. */
const UNLIMITED = '10 Gb/s';

const linkSchema = z.union(
  [
    z.tuple([z.string(), z.string()]),
    z.tuple([z.string(), z.string(), z.union([z.string(), z.number()])]),
    z.tuple([z.string(), z.string(), z.union([z.string(), z.number()]), z.number().min(0)]),
  ],
  'wanted [node, node], perhaps with latency ("5ms", or a number of ms) and bandwidth (a number of Mb/s)',
);

/** The topology files of the p4lang tutorials; what Mininet alone needs is passed over. */
const topologySchema = z.looseObject({
  hosts: z.record(z.string(), z.looseObject({ ip: z.string(), mac: z.string().optional() })),
  switches: z.record(z.string(), z.looseObject({ runtime_json: z.string().optional() })),
  links: z.array(linkSchema),
});

const bareValueSchema = z.union([z.string(), z.number()]);
/** The tutorials' own library takes a list of one value for that value. */
const valueSchema = z.union([
  bareValueSchema,
  z.tuple([bareValueSchema]).transform(([only]) => only),
]);
const replicasSchema = z.array(
  z.looseObject({ egress_port: z.number(), instance: z.number().default(0) }),
);

/** Runtime file that the tutorials load into one switch. */
const runtimeSchema = z.looseObject({
  target: z.literal('bmv2').default('bmv2'),
  p4info: z.string(),
  bmv2_json: z.string(),
  table_entries: z
    .array(
      z.looseObject({
        table: z.string(),
        match: z
          .record(z.string(), z.union([valueSchema, z.tuple([valueSchema, valueSchema])]))
          .optional(),
        default_action: z.boolean().optional(),
        action_name: z.string(),
        action_params: z.record(z.string(), valueSchema).default({}),
        priority: z.number().optional(),
      }),
    )
    .default([]),
  multicast_group_entries: z
    .array(z.looseObject({ multicast_group_id: z.number(), replicas: replicasSchema }))
    .default([]),
  clone_session_entries: z
    .array(
      z.looseObject({
        clone_session_id: z.number(),
        replicas: replicasSchema,
        packet_length_bytes: z.number().optional(),
      }),
    )
    .default([]),
});

type Runtime = z.infer<typeof runtimeSchema>;
type SwitchText = NetworkText['switches'][number];

/** A topology of the tutorials, and the files that it names. */
export interface TutorialTopology {
  /** Names of the runtime files by switch, as they are written. */
  readonly runtimeFiles: ReadonlyMap<string, string>;
  /** @param runtimes texts of these files by switch. @throws InputError */
  network(runtimes: ReadonlyMap<string, RuntimeText>): NetworkText;
}

export interface RuntimeText {
  readonly file: string;
  readonly text: string;
  /** Folder that the file's relative names begin with. */
  readonly folder: string;
}

/** True if a parsed file looks like a topology of the tutorials. */
export function isTutorialTopology(content: unknown): boolean {
  const { hosts, switches, links } = (content ?? {}) as Readonly<Record<string, unknown>>;
  const isRecord = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord(hosts) && isRecord(switches) && Array.isArray(links);
}

/**
 * Reads a topology of the p4lang tutorials. Switches get the device ids and ports that the
 * tutorials' Mininet script gives them: from 0 and from 50051 on, in the order of their names.
 * @throws InputError naming file, line and path.
 */
export function parseTutorialTopology(text: string, file: string): TutorialTopology {
  const { value } = parseLocated(text, file, topologySchema, 'topology');
  const names = Object.keys(value.switches).sort(byNumber);
  const runtimeFiles = new Map(
    names.flatMap((name) => {
      const runtime = value.switches[name]?.runtime_json;
      return runtime === undefined ? [] : [[name, runtime] as const];
    }),
  );
  const network = (runtimes: ReadonlyMap<string, RuntimeText>): NetworkText =>
    withHostPorts({
      network: 'tutorial',
      switches: names.map((name, i) => switchText(name, i, runtimes.get(name), value.links)),
      hosts: Object.entries(value.hosts).map(([name, { ip, mac }]) => ({
        name,
        ipv4: ip.replace(/\/\d+$/, ''),
        ...(mac !== undefined && { mac }),
      })),
      links: value.links.map(([a, b, latency = 0, megabits]) => ({
        between: [endText(a), endText(b)],
        rate: megabits ? `${megabits} Mb/s` : UNLIMITED,
        delay: delayText(latency),
      })),
    });
  return { runtimeFiles, network };
}

function switchText(
  name: string,
  index: number,
  runtime: RuntimeText | undefined,
  links: readonly z.infer<typeof linkSchema>[],
): SwitchText {
  const limited = links.flatMap(([a, b, , megabits]) => (megabits ? [a, b] : []));
  const ports = limited.flatMap((text) => {
    const [node, port] = endText(text).split(':');
    return node === name && port !== undefined ? [Number(port)] : [];
  });
  return {
    name,
    deviceId: index,
    address: `127.0.0.1:${FIRST_GRPC_PORT + index}`,
    ...(ports.length > 0 && { thrift: `127.0.0.1:${FIRST_THRIFT_PORT + index}` }),
    queues: { enforceRate: false },
    ports: ports.map((port) => ({ port, enforceRate: true })),
    ...(runtime !== undefined && runtimeState(runtime)),
  };
}

function runtimeState({ file, text, folder }: RuntimeText): Partial<SwitchText> {
  const { value } = parseLocated(text, file, runtimeSchema, 'runtime file');
  const at = (name: string): string => (name.startsWith('/') ? name : `${folder}/${name}`);
  return {
    program: { p4info: at(value.p4info), config: at(value.bmv2_json) },
    entries: value.table_entries.map(entryText),
    multicastGroups: value.multicast_group_entries.map((each) => ({
      group: each.multicast_group_id,
      replicas: each.replicas.map(replicaText),
    })),
    cloneSessions: value.clone_session_entries.map((each) => ({
      session: each.clone_session_id,
      replicas: each.replicas.map(replicaText),
      packetLengthBytes: each.packet_length_bytes ?? 0,
    })),
  };
}

function entryText(
  entry: Runtime['table_entries'][number],
): NonNullable<SwitchText['entries']>[number] {
  const { table, match, action_name: action, action_params: values, priority } = entry;
  if (entry.default_action) return { table, default: true, action, arguments: values };
  return {
    table,
    ...(match !== undefined && { match }),
    ...(priority !== undefined && { priority }),
    action,
    arguments: values,
  };
}

function replicaText(replica: z.infer<typeof replicasSchema>[number]): {
  port: number;
  instance: number;
} {
  return { port: replica.egress_port, instance: replica.instance };
}

/** `s1-p2` is port 2 of s1. */
function endText(text: string): string {
  return text.replace(/-p(\d+)$/, ':$1');
}

/** Numbers are milliseconds, as in Mininet's scripts. */
function delayText(latency: string | number): string {
  const text = String(latency);
  if (/^\d+(\.\d+)?$/.test(text)) return `${text} ms`;
  if (/^\d+(\.\d+)?(ns|us|ms|s)$/.test(text)) return text;
  throw new InputError(`wanted a latency such as 10ms, found '${text}'`);
}

/** s2 before s10. */
function byNumber(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
