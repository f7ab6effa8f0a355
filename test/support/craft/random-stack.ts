import type { Random } from '../../../common/random/random';
import { LAYER_KINDS } from '../../../common/telemetry/craft/kinds';
import type { AnyLayer } from '../../../common/telemetry/craft/layer';
import type { Field, Shape } from '../../../common/telemetry/craft/values';

type Values = Record<string, unknown>;

/** Random stacks of layers that are right: what a layer says of the next one is left to be filled in. */
export class RandomStacks {
  constructor(private readonly random: Random) {}

  /** A whole frame. */
  next(): AnyLayer[] {
    const tags = this.some(2, () => this.layer(this.pick(TAGS)));
    const link = this.chance(8) ? this.layer(this.pick(['sll', 'sll2'])) : this.layer('ethernet');
    const labels = this.chance(8)
      ? this.some(3, () => this.layer('mpls', { isBottom: undefined }))
      : [];
    const nsh = labels.length === 0 && this.chance(6) ? this.nsh() : [];
    return [link, ...tags, ...labels, ...nsh, ...this.packet(0)];
  }

  private nsh(): AnyLayer[] {
    const options = this.some(3, () => {
      const [option = {}] = this.ioam()['options'] as readonly Values[];
      return this.layer('nsh-ioam', { ...TUNNEL_UNSET, ...NO_OPTION, ...option });
    });
    return [
      this.layer('nsh', { ...TUNNEL_UNSET, context: this.hex(4 * this.below(5)) }),
      ...options,
    ];
  }

  private packet(depth: number): AnyLayer[] {
    const isIpv6 = this.chance(2);
    const ip = this.layer(isIpv6 ? 'ipv6' : 'ipv4', { ...IP_UNSET, options: undefined });
    const options = isIpv6 && this.chance(2) ? [this.ioam()] : [];
    return [ip, ...options, ...this.pick(this.transports(depth))()];
  }

  private transports(depth: number): (() => AnyLayer[])[] {
    const flat = [
      () => [this.tcp(), this.shim(), ...this.int(), this.payload()],
      () => [this.udp(5000), this.shim(), ...this.int(), this.payload()],
      () => [
        this.udp(5000),
        this.layer(this.pick(['int-v1', 'int-v0.5']), this.stack()),
        this.payload(),
      ],
      () => [this.udp(), this.shim(), ...this.int(), this.data()],
      () => [this.udp(), ...this.feedback()],
      () => [
        this.layer('ifa', { nextHeader: undefined, version: 2, flags: 4 }),
        this.udp(5000),
        this.ifa(),
        this.payload(),
      ],
      () => [
        this.udp(5000),
        this.layer('ifa1', {
          hopCount: undefined,
          currentLength: undefined,
          hops: this.some(3, () => this.section('ifa1', 'hops')),
        }),
      ],
      () => [this.udp(), ...this.roce()],
      () => [this.udp(), ...this.roceWithInt()],
      () => [this.udp(), this.notification()],
      () => [
        this.layer('gre', { protocol: undefined }),
        this.layer('int-gre-shim', TUNNEL_UNSET),
        ...this.int(),
        ...this.inner(depth),
      ],
      () => [
        this.udp(),
        this.layer('vxlan-gpe', { nextProtocol: undefined }),
        this.layer('int-gpe-shim', TUNNEL_UNSET),
        ...this.int(),
        ...this.inner(depth),
      ],
      () => [this.udp(), ...this.geneve(), ...this.inner(depth)],
    ];
    if (depth > 1) return flat;
    return [
      ...flat,
      () => [
        this.udp(),
        this.layer('vxlan', { nextProtocol: 0 }),
        this.layer('ethernet', { etherType: undefined }),
        ...this.packet(depth + 1),
      ],
      () => [this.udp(), this.report(depth)],
      () => [
        this.udp(),
        this.older('report-v0.5'),
        this.layer('ethernet', { etherType: undefined }),
        ...this.packet(depth + 1),
      ],
      () => [
        this.udp(),
        this.older('report-v1'),
        this.layer('ethernet', { etherType: undefined }),
        ...this.packet(depth + 1),
      ],
    ];
  }

  private inner(depth: number): AnyLayer[] {
    return depth > 1
      ? [
          this.layer('ipv4', { ...IP_UNSET, options: undefined, dscp: 0 }),
          this.udp(9),
          this.payload(),
        ]
      : this.packet(depth + 1);
  }

  private int(): AnyLayer[] {
    return [
      this.chance(4)
        ? this.layer('int-mx', { sourceMetadata: this.hex(4 * this.below(3)) })
        : this.layer('int-md', this.stack()),
    ];
  }

  /** Hops of one bitmap, whose domain has as many words in each. */
  private stack(): Values {
    const names = Object.keys(this.shapeOf('int-md', 'hops')).filter(
      (name) => !['domain', 'reserved'].includes(name) && this.chance(2),
    );
    const hops = this.some(4, () =>
      Object.fromEntries(
        names.map((name) => [
          name,
          this.value(this.shapeOf('int-md', 'hops')[name] as Field<unknown>),
        ]),
      ),
    );
    return {
      hops,
      hopWords: undefined,
      instructionBitmap: undefined,
      words: undefined,
      totalHops: undefined,
      originalPort: undefined,
    };
  }

  private geneve(): AnyLayer[] {
    const option = { type: undefined, words: undefined };
    const int = [
      this.layer('geneve-option', { ...option, optionClass: 0x0103, data: '' }),
      this.layer('int-md', {
        hops: [{ nodeId: 7, hopLatency: 9 }],
        hopWords: undefined,
        instructionBitmap: undefined,
      }),
    ];
    const other = this.layer('geneve-option', {
      optionClass: 0x0102,
      type: 5,
      words: undefined,
      data: this.hex(8),
    });
    return [
      this.layer('geneve', { optionWords: undefined, protocol: undefined }),
      ...(this.chance(2) ? [other] : []),
      ...int,
    ];
  }

  private ioam(): AnyLayer {
    const trace = this.section('hop-by-hop', 'options')['trace'] as Values;
    trace['remainingWords'] = this.below(20);
    const traceType = this.below(2) === 0 ? 0xf00000 : 0x80a002;
    const hops = this.some(3, () => ({
      hopLimit: this.below(256),
      nodeId: this.below(1 << 24),
      ...(traceType === 0xf00000
        ? {
            ingressInterface: this.below(65536),
            egressInterface: this.below(65536),
            seconds: 7,
            fraction: this.below(1e9),
          }
        : {
            wideNode: '0xffffffff00000001',
            transitDelay: 3,
            namespaceDataWide: this.below(1e9),
            snapshot: { schemaId: 5, data: this.hex(8) },
          }),
    }));
    const options = this.pick<() => Values>([
      () => ({
        trace: {
          ...trace,
          traceType: traceType === 0xf00000 ? 0xf00000 : 0x08a002,
          hops:
            traceType === 0xf00000
              ? hops
              : hops.map(({ hopLimit: _, nodeId: __, ...rest }) => rest),
        },
      }),
      () => ({
        directExport: {
          namespaceId: 9,
          traceType: 0xf00000,
          flowId: this.below(1e9),
          otherFlags: 0,
          otherWords: [],
        },
      }),
      () => ({ edgeToEdge: { namespaceId: 9, sequence64: this.below(1e9), seconds: 4 } }),
    ])();
    return this.layer(this.pick(['hop-by-hop', 'destination-options']), {
      nextHeader: undefined,
      pad: undefined,
      options: [options],
    });
  }

  private report(depth: number): AnyLayer {
    const metadata = this.section('report', 'reports')['int'] as Values;
    const { reserved: _, domain: __, nodeId: ___, checksumComplement: ____, ...int } = metadata;
    const inner = this.chance(2)
      ? { layers: [this.layer('ethernet', { etherType: undefined }), ...this.packet(depth + 1)] }
      : { inner: this.hex(4 * this.below(5)), innerType: 0 };
    const first = {
      dropped: this.chance(2),
      inner: this.hex(8),
      innerType: 0,
      int: { ...int, metadataBits: undefined, metadataWords: undefined },
    };
    return this.layer('report', { reports: [first, { trackedFlow: true, ...inner }] });
  }

  private older(kind: string): AnyLayer {
    const isDrop = this.chance(2);
    const drop = isDrop
      ? { queueId: undefined, queueOccupancy: undefined, egressTimestamp: undefined }
      : { dropQueueId: undefined, dropReason: undefined };
    const old = { hopLatency: undefined, txUtilization: undefined, ...drop };
    return this.layer(
      kind,
      kind === 'report-v0.5'
        ? old
        : {
            protocol: undefined,
            ...(this.chance(2) ? { dropReason: undefined, dropQueueId: undefined } : {}),
          },
    );
  }

  private roce(): AnyLayer[] {
    const bth = (opcode: number): AnyLayer =>
      this.layer('bth', { opcode, padCount: 0, ...(opcode === 0x81 ? { becn: false } : {}) });
    return this.pick([
      () => [bth(4), this.payload(), this.layer('icrc', { value: undefined })],
      () => [
        bth(0x0a),
        this.layer('reth'),
        this.payload(),
        this.layer('icrc', { value: undefined }),
      ],
      () => [bth(0x11), this.layer('aeth'), this.layer('icrc', { value: undefined })],
      () => [
        bth(0x11),
        this.layer('aeth'),
        this.shim(),
        this.layer('int-md', this.stack()),
        this.layer('icrc', { value: undefined }),
      ],
      () => [
        bth(0x81),
        this.layer('compact-response', { nodeId: 1 + this.below(9) }),
        this.layer('icrc', { value: undefined }),
      ],
      () => [
        bth(0xc0),
        this.layer('roce-request', { messageVersion: 1 }),
        this.layer('icrc', { value: undefined }),
      ],
      () => [
        bth(0xc1),
        this.layer('roce-response', { messageVersion: 1, responseFlags: 0x10 }),
        this.layer('window'),
        this.layer('auth'),
        this.layer('icrc', { value: undefined }),
      ],
    ])();
  }

  private roceWithInt(): AnyLayer[] {
    return [
      this.shim(),
      this.layer('int-md', this.stack()),
      this.layer('bth', { opcode: 4, padCount: 0 }),
      this.payload(),
      this.layer('icrc', { value: undefined }),
    ];
  }

  private data(): AnyLayer {
    return this.payload();
  }

  private feedback(): AnyLayer[] {
    const head = (type: number, flags: string): AnyLayer =>
      this.layer('hpcc', {
        type,
        flags,
        version: undefined,
        length: undefined,
        sequence: this.below(2 ** 40),
      });
    const echo = [this.shim(), this.layer('int-md', this.stack())];
    const sack = this.layer('selective-ack', {
      sackVersion: 1,
      sackBlocks: 1,
      sackFrom1: 5,
      sackBytes1: 9,
      sackFrom2: 0,
      sackBytes2: 0,
      sackFrom3: 0,
      sackBytes3: 0,
    });
    return this.pick<() => AnyLayer[]>([
      () => [head(1, '05'), this.payload()],
      () => [head(2, '02'), ...echo],
      () => [head(2, '24'), this.layer('load-ratio'), sack],
      () => [head(2, '13'), this.layer('token'), ...echo, this.layer('cookie'), this.layer('auth')],
      () => [head(3, '30')],
      () => [head(4, '42'), ...echo],
      () => [head(5, '10'), this.layer('window'), this.layer('auth')],
      () => [
        head(6, '00'),
        this.layer('switch-response'),
        { kind: 'payload', bytes: this.hex(32) },
      ],
      () => [head(7, '00'), { kind: 'payload', text: 'mss=1000\n' }],
      () => [
        this.layer('hpcc-padding', {
          hopCount: undefined,
          aligned: false,
          hops: this.some(4, () => this.section('hpcc-padding', 'hops')),
        }),
        head(1, '00'),
        this.payload(),
      ],
      () => [
        this.layer('path-shim', {
          shimVersion: 1,
          hasDigest: true,
          ...this.pick([
            { hasTime: true, hasDemand: false },
            { hasTime: false, hasDemand: true },
          ]),
        }),
        head(1, '00'),
        this.payload(),
      ],
    ])();
  }

  private ifa(): AnyLayer {
    const hops = this.some(4, () => ({
      ...this.section('ifa-metadata', 'hops'),
      opaque: [1, 2, this.below(1e9)],
    }));
    return this.layer('ifa-metadata', { currentWords: undefined, hops });
  }

  private notification(): AnyLayer {
    const length = this.pick([4, 16]);
    const keyId = this.below(2);
    return this.layer('ccm-notification', {
      keyId,
      mac: this.hex(16 * keyId),
      source: this.hex(length),
      destination: this.hex(length),
    });
  }

  private shim(): AnyLayer {
    const npt = 0;
    return { kind: 'int-shim', npt, originalDscp: this.below(64) };
  }

  private udp(destinationPort?: number): AnyLayer {
    return {
      kind: 'udp',
      sourcePort: this.below(65536),
      ...(destinationPort === undefined ? {} : { destinationPort }),
    };
  }

  private tcp(): AnyLayer {
    return this.layer('tcp', {
      checksum: undefined,
      options: [
        { kind: 1, data: '' },
        { kind: 2, data: '05b4' },
        { kind: 0, data: '' },
      ],
    });
  }

  private payload(): AnyLayer {
    return { kind: 'payload', bytes: this.hex(1 + this.below(40)) };
  }

  /** A layer with random values, but for those that are given; undefined ones are left out. */
  private layer(kind: string, given: Values = {}): AnyLayer {
    const shape = LAYER_KINDS.get(kind)?.shape ?? {};
    const values: Values = { kind };
    for (const [name, field] of Object.entries(shape)) {
      if (name in given) {
        if (given[name] !== undefined) values[name] = given[name];
      } else if (name !== 'etherType' && name !== 'hops') values[name] = this.value(field);
    }
    if (given['hops'] !== undefined) values['hops'] = given['hops'];
    if (kind === 'csig') {
      values['dialect'] = 'ietf';
      values['doNotUpdate'] = false;
    }
    return values as AnyLayer;
  }

  private shapeOf(kind: string, list: string): Shape {
    const form = LAYER_KINDS.get(kind)?.shape[list]?.form;
    const item = form?.type === 'list' ? form.item.form : form;
    return item?.type === 'section' ? item.shape : {};
  }

  private section(kind: string, list: string): Values {
    return Object.fromEntries(
      Object.entries(this.shapeOf(kind, list)).map(([name, field]) => [name, this.value(field)]),
    );
  }

  private value({ form }: Field<unknown>): unknown {
    switch (form.type) {
      case 'uint':
        return this.chance(6) ? 2 ** form.bits - 1 : this.below(2 ** form.bits);
      case 'flag':
        return this.chance(2);
      case 'word':
        return this.chance(2) ? '0xfffffffffffffffe' : this.below(2 ** 50);
      case 'mac':
        return (this.hex(6).match(/../g) ?? []).join(':');
      case 'ipv4':
        return [1, 2, 3, 4].map(() => this.below(256)).join('.');
      case 'ipv6':
        return `fd00::${(1 + this.below(65535)).toString(16)}:${(1 + this.below(65535)).toString(16)}`;
      case 'bytes':
        return this.hex(form.length ?? 4);
      case 'words':
        return this.pick(form.words);
      case 'section':
        return Object.fromEntries(
          Object.entries(form.shape).map(([name, field]) => [name, this.value(field)]),
        );
      case 'layers':
      case 'list':
      case 'text':
        return [];
    }
  }

  private hex(length: number): string {
    return Array.from({ length }, () => this.below(256).toString(16).padStart(2, '0')).join('');
  }

  private below(limit: number): number {
    return Math.floor(this.random.uniform() * limit);
  }

  private chance(oneOf: number): boolean {
    return this.below(oneOf) === 0;
  }

  private pick<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }

  private some<T>(max: number, make: () => T): T[] {
    return Array.from({ length: this.below(max + 1) }, make);
  }
}

const TAGS = ['vlan', 'csig', 'csig-wide', 'ccm-tag'];
const IP_UNSET = {
  version: 4,
  headerWords: undefined,
  totalLength: undefined,
  payloadLength: undefined,
  protocol: undefined,
  nextHeader: undefined,
  checksum: undefined,
  dscp: undefined,
  reservedFlag: false,
  moreFragments: false,
  fragmentOffset: 0,
};
const NO_OPTION = {
  trace: undefined,
  directExport: undefined,
  edgeToEdge: undefined,
  integrity: undefined,
  data: undefined,
};
const TUNNEL_UNSET = { type: undefined, words: undefined, nextProtocol: undefined };
