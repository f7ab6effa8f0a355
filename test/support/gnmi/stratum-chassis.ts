import { Encoding } from '../../../common/p4runtime/generated/gnmi/gnmi';
import type { GnmiValue } from '../../../controller/gnmi/value';
import { GnmiServer } from './gnmi-server';

export interface ChassisPort {
  /** The chip's. */
  readonly port: number;
  readonly speed: string;
  readonly enabled: boolean;
}

/**
 * A gNMI server posing as that of Stratum: the leaves of its interfaces, answers in PROTO alone, and a whole
 * chassis configuration in text in place of the root. Which port of the chip is behind which of the panel, the
 * hardware says.
 */
export class StratumChassis {
  /** The configurations that were pushed, as text. */
  readonly pushed: string[] = [];

  private constructor(
    readonly server: GnmiServer,
    private readonly wiring: ReadonlyMap<string, number>,
  ) {}

  /** @param wiring the chip's port by the name of the panel's. */
  static async start(wiring: ReadonlyMap<string, number>): Promise<StratumChassis> {
    const server = await GnmiServer.start();
    const own = new StratumChassis(server, wiring);
    for (const encoding of [Encoding.JSON, Encoding.ASCII, Encoding.JSON_IETF]) {
      server.refusedEncodings.add(encoding);
    }
    server.replaceRoot = (config) => own.configure(Buffer.from(config).toString('utf8'));
    return own;
  }

  get address(): string {
    return this.server.address;
  }

  stop(): void {
    this.server.stop();
  }

  /** Ports as its leaves tell them, by the name of their interface. */
  get ports(): ReadonlyMap<string, ChassisPort> {
    const found = [...this.wiring.keys()].flatMap((name) => {
      const leaf = (path: string): GnmiValue | undefined =>
        this.server.tree.get(`/interfaces/interface[name=${name}]/${path}`);
      const [port, speed, enabled] = [
        leaf('state/ifindex'),
        leaf('ethernet/config/port-speed'),
        leaf('config/enabled'),
      ];
      if (port?.kind !== 'uint' || speed?.kind !== 'string' || enabled?.kind !== 'bool') return [];
      return [[name, { port: Number(port.value), speed: speed.value, enabled: enabled.value }]];
    });
    return new Map(found as [string, ChassisPort][]);
  }

  setPort(name: string, { port, speed, enabled }: ChassisPort): void {
    const at = `/interfaces/interface[name=${name}]`;
    const { tree } = this.server;
    tree.set(`${at}/state/ifindex`, { kind: 'uint', value: BigInt(port) });
    tree.set(`${at}/ethernet/config/port-speed`, { kind: 'string', value: speed });
    tree.set(`${at}/config/enabled`, { kind: 'bool', value: enabled });
  }

  private configure(text: string): void {
    this.pushed.push(text);
    this.server.tree.clear();
    for (const [, block = ''] of text.matchAll(/^singleton_ports \{\n([\s\S]*?)^\}/gm)) {
      const name = /name: "(.*)"/.exec(block)?.[1] ?? '';
      const gbps = Number(/speed_bps: (\d+)/.exec(block)?.[1]) / 1e9;
      const port = this.wiring.get(name) ?? 0;
      this.setPort(name, { port, speed: `SPEED_${gbps}GB`, enabled: true });
    }
  }
}
