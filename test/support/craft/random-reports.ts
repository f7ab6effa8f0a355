import type { Random } from '../../../common/random/random';
import { craftFrame } from '../../../common/telemetry/craft/kinds';
import type { AnyLayer } from '../../../common/telemetry/craft/layer';
import { RandomStacks } from './random-stack';

type Values = Record<string, unknown>;

/** Ethernet, IPv6 and UDP. */
const HEADERS = 62;

/** Random datagrams of telemetry reports: most as switches send them, some damaged, some with foreign packets inside. */
export class RandomReports {
  readonly #stacks: RandomStacks;

  constructor(private readonly random: Random) {
    this.#stacks = new RandomStacks(random);
  }

  next(): Buffer {
    const reports = Array.from({ length: 1 + this.below(3) }, () => this.report());
    const group = {
      kind: 'report',
      nodeId: this.chance(20) ? 0xffff_ffff : this.below(9),
      hardwareId: this.below(3),
      sequence: this.below(2 ** 22),
      reports,
    };
    const frame = craftFrame(['ethernet', 'ipv6', 'udp', group]);
    return this.damaged(Buffer.from(frame.subarray(HEADERS)));
  }

  private report(): Values {
    const inner = this.inner();
    const flags = {
      dropped: this.chance(2),
      congestedQueue: this.chance(2),
      trackedFlow: this.chance(2),
      intermediate: this.chance(4),
    };
    if (this.chance(6)) return { ...flags, ...inner };
    const drop = this.chance(3) ? { dropQueueId: this.below(9), dropReason: this.below(40) } : {};
    const { nodeId: _, ...hop } = this.hop(this.below(0x10000));
    const domain = this.chance(8) ? { domainId: 0x4850, dsBits: this.below(8) << 13 } : {};
    return { ...flags, ...inner, int: { ...hop, ...drop, ...domain } };
  }

  /** Words to the last, so that reports after this one can be found. */
  private inner(): Values {
    if (this.chance(8)) return { innerType: 0, inner: '' };
    if (this.chance(8)) return this.cut(3, craftFrame(this.#stacks.next()));
    const isEthernet = this.chance(4);
    const isIpv6 = this.chance(3);
    const layers: AnyLayer[] = [
      ...(isEthernet ? [{ kind: 'ethernet' }] : []),
      isIpv6
        ? {
            kind: 'ipv6',
            source: this.pick(['fd00::1', '2001:db8:1::2']),
            hopLimit: this.below(256),
          }
        : { kind: 'ipv4', source: `10.0.${this.below(256)}.1`, ttl: this.below(256) },
      this.chance(3)
        ? { kind: 'tcp', sourcePort: this.below(65_536), options: this.options() }
        : { kind: 'udp', sourcePort: this.below(65_536), destinationPort: this.port() },
      ...(this.chance(4) ? [] : [{ kind: 'int-shim' }, this.stack()]),
      { kind: 'payload', zeros: this.below(40) },
    ];
    return this.cut(isEthernet ? 3 : isIpv6 ? 5 : 4, craftFrame(layers));
  }

  private cut(innerType: number, packet: Uint8Array): Values {
    const most = this.chance(4) ? this.below(packet.length) : Math.min(packet.length, 400);
    const inner = Buffer.alloc(4 * Math.ceil(most / 4));
    inner.set(packet.subarray(0, most));
    return { innerType, inner: inner.toString('hex') };
  }

  private stack(): AnyLayer {
    const bits = this.below(0x10000) | 0x8000;
    const domain = this.chance(8) ? { domainId: 0x4850, dsInstruction: this.below(8) << 13 } : {};
    const hops = Array.from({ length: this.below(5) }, () => this.hop(bits));
    return { kind: 'int-md', ...domain, hops };
  }

  /** All ones, which are no value, now and then. */
  private hop(bits: number): Values {
    const value = (width: number): number =>
      this.chance(10) ? 2 ** width - 1 : this.below(2 ** Math.min(width, 31));
    const all: readonly (readonly [number, () => Values])[] = [
      [0x8000, () => ({ nodeId: value(32) })],
      [0x4000, () => ({ ingressInterface: value(16), egressInterface: value(16) })],
      [0x2000, () => ({ hopLatency: value(32) })],
      [0x1000, () => ({ queueId: value(8), queueOccupancy: value(24) })],
      [0x0800, () => ({ ingressTimestamp: this.time() })],
      [0x0400, () => ({ egressTimestamp: this.time() })],
      [0x0200, () => ({ ingressInterface2: value(32), egressInterface2: value(32) })],
      [0x0100, () => ({ txUtilization: value(32) })],
      [0x0080, () => ({ bufferId: value(8), bufferOccupancy: value(24) })],
    ];
    const known = all.filter(([bit]) => (bits & bit) !== 0).map(([, make]) => make());
    const complement = (bits & 0x700) === 0x700 ? { checksumComplement: value(32) } : {};
    const domain = (bits & 0x70) === 0x70 ? { domain: [value(32), value(32)] } : {};
    return Object.assign({}, ...known, complement, domain) as Values;
  }

  private time(): string {
    if (this.chance(10)) return `0x${'f'.repeat(16)}`;
    return `0x${[0, 0]
      .map(() =>
        this.below(2 ** 31)
          .toString(16)
          .padStart(8, '0'),
      )
      .join('')}`;
  }

  private options(): Values[] {
    return this.chance(2) ? [] : [{ kind: 8, data: '0102030405060708' }];
  }

  private port(): number {
    return this.chance(6) ? this.pick([50_000, 50_001, 4791, 4789, 6081, 50_003]) : 5000;
  }

  private damaged(bytes: Buffer): Buffer {
    if (this.chance(10)) return bytes.subarray(0, this.below(bytes.length + 1));
    if (this.chance(8)) bytes[this.below(bytes.length)] = this.below(256);
    return bytes;
  }

  private chance(of: number): boolean {
    return this.below(of) === 0;
  }

  private pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T;
  }

  private below(limit: number): number {
    return this.random.below(limit);
  }
}
