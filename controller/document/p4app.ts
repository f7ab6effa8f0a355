import { z } from 'zod';
import { parseLocated } from '../../common/document/located-document';
import { InputError } from '../../common/errors';
import { withHostPorts } from './host-ports';
import type { NetworkText } from './schema';

/** Links without a bandwidth have no limit in Mininet; telemetry still wants a number. */
const UNLIMITED = '10 Gb/s';
/** Ports of P4Runtime and Thrift that p4-utils gives its switches, from these on. */
const FIRST_GRPC_PORT = 9559;
const FIRST_THRIFT_PORT = 9090;

const linkOptionsSchema = z.looseObject({
  bw: z.number().positive().nullish(),
  delay: z.union([z.string(), z.number().min(0)]).nullish(),
  loss: z.number().min(0).nullish(),
});

const linkSchema = z.union(
  [z.tuple([z.string(), z.string()]), z.tuple([z.string(), z.string(), linkOptionsSchema])],
  'wanted [node, node], or the same and {"bw": Mb/s, "delay": "5ms", "loss": %} with numbers for bw and loss',
);

const hostSchema = z.looseObject({ ip: z.string().optional(), mac: z.string().optional() });

/** Strategies by which p4-utils gives addresses to hosts. */
const STRATEGIES = ['l2', 'mixed', 'l3', 'manual'] as const;

/** The manifest `p4app.json` of p4-utils; what starts programs and command lines is passed over. */
const manifestSchema = z.looseObject({
  topology: z.looseObject({
    assignment_strategy: z.enum(STRATEGIES).default('mixed'),
    default: linkOptionsSchema.default({}),
    hosts: z.record(z.string(), hostSchema),
    switches: z.record(z.string(), z.looseObject({})),
    links: z.array(linkSchema),
  }),
});

type Manifest = z.infer<typeof manifestSchema>['topology'];

/** A link with its options, and the port that each switch of it has. */
interface Edge {
  readonly ends: readonly [string, string];
  readonly ports: readonly [number, number];
  readonly options: z.infer<typeof linkOptionsSchema>;
}

/** True if a parsed file looks like a manifest of p4-utils, whatever its topology lacks. */
export function isP4AppManifest(content: unknown): boolean {
  const { topology, switches } = (content ?? {}) as Readonly<Record<string, unknown>>;
  return typeof topology === 'object' && topology !== null && switches === undefined;
}

/**
 * Reads a manifest of p4-utils: switches with ports in the order of the links, hosts with the addresses
 * of its strategy. Its P4 sources and files of commands are not used: switches run the network's program.
 * @throws InputError naming file, line and path, or what such a network cannot have here.
 */
export function parseP4AppManifest(text: string, file: string): NetworkText {
  const { topology } = parseLocated(text, file, manifestSchema, 'manifest').value;
  const switches = Object.keys(topology.switches).sort(byNumber);
  const edges = edgesOf(topology, file);
  const addresses = addressesOf(topology, { switches, edges, file });
  return withHostPorts({
    network: 'p4app',
    switches: switches.map((name, i) => ({
      name,
      deviceId: i + 1,
      address: `127.0.0.1:${FIRST_GRPC_PORT + i}`,
      thrift: `127.0.0.1:${FIRST_THRIFT_PORT + i}`,
      queues: { enforceRate: false },
      ports: limitedPorts(name, edges).map((port) => ({ port, enforceRate: true })),
    })),
    hosts: Object.entries(topology.hosts).map(([name, { mac }]) => {
      const ipv4 = addresses.get(name) as string;
      return { name, ipv4, mac: mac ?? macOf(ipv4) };
    }),
    links: edges.map(({ ends: [a, b], ports: [portA, portB], options: { bw, delay } }) => ({
      between: [
        a in topology.hosts ? a : `${a}:${portA}`,
        b in topology.hosts ? b : `${b}:${portB}`,
      ],
      rate: bw ? `${bw} Mb/s` : UNLIMITED,
      ...(delay && { delay: typeof delay === 'number' ? `${delay} ms` : delay }),
    })),
  });
}

function edgesOf({ hosts, switches, links, default: common }: Manifest, file: string): Edge[] {
  const next = new Map<string, number>();
  const portOf = (node: string): number => {
    const port = (next.get(node) ?? 0) + 1;
    next.set(node, port);
    return port;
  };
  return links.map(([a, b, own], i) => {
    const options = { ...common, ...own };
    const where = `${file}: topology.links.${i}`;
    for (const node of [a, b]) {
      if (node in hosts || node in switches) continue;
      throw new InputError(`${where}: ${node} is no switch and no host`);
    }
    if (options.loss) {
      throw new InputError(`${where}: wanted a link without loss, found ${options.loss} %`);
    }
    return { ends: [a, b], ports: [portOf(a), portOf(b)], options };
  });
}

const limitedPorts = (name: string, edges: readonly Edge[]): number[] =>
  edges.flatMap(({ ends, ports, options }) =>
    options.bw ? ports.filter((_, end) => ends[end] === name) : [],
  );

/** Addresses as the strategies of p4-utils give them: by the number in a host's name, where it has one. */
function addressesOf(
  { hosts, assignment_strategy: strategy }: Manifest,
  given: {
    readonly switches: readonly string[];
    readonly edges: readonly Edge[];
    readonly file: string;
  },
): ReadonlyMap<string, string> {
  const { switches, edges, file } = given;
  const names = Object.keys(hosts);
  const reserved = new Set(names.flatMap((name) => numberOf(name) ?? []));
  let free = 0;
  const numbers = names.map((name) => {
    const own = numberOf(name);
    if (own !== undefined) return own;
    do free++;
    while (reserved.has(free));
    return free;
  });
  return new Map(
    names.map((name, i) => {
      const own = hosts[name]?.ip;
      if (own !== undefined) return [name, own.replace(/\/\d+$/, '')];
      if (strategy === 'manual') {
        throw new InputError(`${file}: topology.hosts.${name}: the strategy manual needs an ip`);
      }
      const peers = edges.flatMap(({ ends }) => (ends.includes(name) ? ends : []));
      const subnet = switches.indexOf(peers.find((end) => switches.includes(end)) ?? '') + 1;
      return [name, addressOf(strategy, subnet, numbers[i] as number)];
    }),
  );
}

function addressOf(strategy: 'l2' | 'mixed' | 'l3', subnet: number, host: number): string {
  if (strategy === 'l2') return `10.0.${host >> 8}.${host & 255}`;
  if (strategy === 'l3') return `10.${subnet}.${host}.2`;
  return `10.${subnet >> 8}.${subnet & 255}.${host}`;
}

/** The number in the name of a host such as h12. */
const numberOf = (name: string): number | undefined => {
  const digits = /^h(\d{1,5})$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
};

const macOf = (ipv4: string): string =>
  ['00:00', ...ipv4.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'))].join(':');

/** By the last number in the name, as p4-utils sorts its switches. */
function byNumber(a: string, b: string): number {
  const last = (name: string): number => Number(/(\d+)\D*$/.exec(name)?.[1] ?? 0);
  return last(a) - last(b);
}
