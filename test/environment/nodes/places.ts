import type { Environment } from '../../../common/io/environment';
import { ONLY_PLACE } from '../../../common/io/net/network-place';
import { PROGRAM_FILES } from './program';

/** A host of the network. */
export interface HostPlace {
  readonly name: string;
  readonly address: string;
  readonly mac: string;
  readonly interfaceName: string;
}

/** A switch of the network, and its ports by the names of their interfaces. */
export interface SwitchPlace {
  readonly name: string;
  readonly deviceId: number;
  readonly address: string;
  readonly ports: Readonly<Record<number, string>>;
}

const host = (n: number): HostPlace => ({
  name: `h${n}`,
  address: `10.0.0.${n}`,
  mac: `02:00:00:00:00:0${n}`,
  interfaceName: `h${n}-eth0`,
});

const switchOf = (n: number, ports: readonly number[]): SwitchPlace => ({
  name: `s${n}`,
  deviceId: n,
  address: `127.0.0.1:900${n}`,
  ports: Object.fromEntries(ports.map((port) => [port, `s${n}-eth${port}`])),
});

/** h1 and h3 at s1, h2 at s2. */
export const HOSTS = { h1: host(1), h2: host(2), h3: host(3) } as const;
export const SWITCHES = { s1: switchOf(1, [1, 2, 3]), s2: switchOf(2, [1, 2]) } as const;

/** Pairs of interfaces with a wire between them. */
export const WIRES: readonly (readonly [string, string])[] = [
  ['h1-eth0', 's1-eth1'],
  ['h3-eth0', 's1-eth2'],
  ['s1-eth3', 's2-eth1'],
  ['s2-eth2', 'h2-eth0'],
];

export const macNumber = (mac: string): number => parseInt(mac.replaceAll(':', ''), 16);

/** Document of the network for controllers. */
export const DOCUMENT = [
  'network: simulated',
  `program: {p4info: ${PROGRAM_FILES.p4info}, config: ${PROGRAM_FILES.config}}`,
  'switches:',
  ...Object.values(SWITCHES).map(
    ({ name, deviceId, address }) =>
      `  - {name: ${name}, deviceId: ${deviceId}, address: "${address}", target: embedded}`,
  ),
  'hosts:',
  ...Object.values(HOSTS).map(
    ({ name, address, mac }) => `  - {name: ${name}, ipv4: ${address}, mac: "${mac}"}`,
  ),
  'links:',
  '  - {between: [h1, "s1:1"], rate: 1 Gb/s}',
  '  - {between: [h3, "s1:2"], rate: 1 Gb/s}',
  '  - {between: ["s1:3", "s2:1"], rate: 1 Gb/s}',
  '  - {between: ["s2:2", h2], rate: 1 Gb/s}',
  '',
].join('\n');

/** A node's part of the process. */
export class NodeEnvironment implements Environment {
  readonly network = ONLY_PLACE;
  readonly isShared = true;
  readonly #ends = new Set<() => void>();

  constructor(private readonly onLine: (stream: 1 | 2, line: string) => void) {}

  write(stream: 1 | 2, text: string): void {
    this.onLine(stream, text);
  }

  onSignal(signal: string, act: () => void): () => void {
    if (signal === 'SIGTERM') this.#ends.add(act);
    return () => void this.#ends.delete(act);
  }

  setExitCode(): void {
    // Nobody asks for it.
  }

  /** Asks the node to end. */
  terminate(): void {
    for (const end of [...this.#ends]) end();
  }
}
