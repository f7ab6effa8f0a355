import { nanoseconds } from '../../../../common/units/units';
import { loadP4Artifacts } from '../../../../common/io/p4-profiles';
import { fromHex, toHex } from '../../../support/hex';
import { Network } from '../../switch/support/network';
import type { BitsPerSecond } from '../../../../common/units/units';
import type { ExecutorFactory } from '../../../../switch/executor/executor';
import type { MatchTable } from '../../../../switch/tables/match-table';

/** Ports of the worked examples: a hop from port 3 to port 0x11. */
export const IN = 3;
export const OUT = 0x11;

const MAC_OUT = 0x020000000b02n;

export interface CarrierNodeOptions {
  readonly profile: string;
  readonly executor: ExecutorFactory;
  /** Rate of the links; the port record says {@link capacityMbps}, whatever this is. */
  readonly rate: BitsPerSecond;
  readonly nodeId?: number;
  readonly capacityMbps?: number;
  /** Unit of the clock in the port record, in ns; the clock's own unit is 1 ns. */
  readonly clockUnitNs?: number;
  /** Unit of the queue in the port record; the depth is in bytes and has 19 bits. */
  readonly queueUnitBytes?: number;
  readonly mtu?: number;
}

type Key = Parameters<MatchTable['insert']>[0]['key'];

/** An entry in words, as the P4 program names things. */
export interface NamedEntry {
  readonly table: string;
  readonly key: Key;
  readonly action: string;
  readonly values: readonly bigint[];
  readonly priority?: number;
}

/** A switch of one profile, with routes for all of IPv4 and IPv6 to one port that has a record. */
export class CarrierNode {
  readonly network: Network;

  constructor(options: CarrierNodeOptions) {
    const ports = [IN, OUT].map((port) => ({ port, rate: options.rate }));
    const queueUnit = { kind: 'bytes', cell: 1 } as const;
    const { executor, profile } = options;
    this.network = new Network({ ports, clockUnitNs: 1, queueUnit, executor });
    this.network.switch.loadProgram(loadP4Artifacts(profile).deviceConfig);
    this.#route('ipv4', 'forward', 'ecmp');
    this.#route('ipv6', 'forward_ipv6', 'ipv6_ecmp');
    const { nodeId = 1, capacityMbps = 100_000, mtu = 9000 } = options;
    const { queueUnitBytes = 1, clockUnitNs = 1 } = options;
    this.insert({
      table: 'egress.port.port_record',
      key: [{ kind: 'exact', value: BigInt(OUT) }],
      action: 'egress.port.set_port_record',
      values: [nodeId, capacityMbps, queueUnitBytes, clockUnitNs, mtu, 1].map(BigInt),
    });
  }

  insert({ table, key, action, values, priority = 0 }: NamedEntry): void {
    const { pipeline } = this.network.switch;
    const actionId = pipeline?.tableAction(table, action)?.id ?? -1;
    this.#table(table).insert({
      key,
      priority,
      action: { kind: 'call', call: { actionId, arguments: [...values] } },
    });
  }

  setRegister(name: string, value: bigint): void {
    this.network.switch.pipeline?.registers.get(name)?.write(OUT, value);
  }

  /** A packet arrives; `length` counts payload that nobody reads. */
  arrive(nowNs: number, hex: string, length?: number): void {
    const bytes = fromHex(hex);
    const at = nanoseconds(nowNs);
    this.network.arrive(at, IN, { bytes, length: length ?? bytes.length });
  }

  /** Everything that has left once nothing is under way any more, in hexadecimal. */
  sent(): string[] {
    this.network.advance();
    return this.network.sent.map(({ packet }) => toHex(packet.bytes));
  }

  #table(name: string): MatchTable {
    const found = this.network.switch.pipeline?.tables.get(name);
    if (found === undefined) throw new Error(`the program has no table ${name}`);
    return found;
  }

  #route(family: string, action: string, profileName: string): void {
    const { pipeline } = this.network.switch;
    const name = `ingress.route.${profileName}`;
    const actionId = pipeline?.profileAction(name, `ingress.route.${action}`)?.id ?? -1;
    const call = { actionId, arguments: [BigInt(OUT), MAC_OUT, MAC_OUT - 1n] };
    pipeline?.actionProfiles.get(name)?.insertMember(0, call);
    this.#table(`ingress.route.${family}_route`).insert({
      key: [{ kind: 'lpm', value: 0n, prefixLength: 0 }],
      priority: 0,
      action: { kind: 'member', memberId: 0 },
    });
  }
}
