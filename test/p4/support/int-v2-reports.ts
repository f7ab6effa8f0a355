import { internetChecksum } from '../../../common/wire/ip/checksum';
import { NODE_SET_UP } from './int-v2-cases';
import { HP_DOMAIN, intFrame } from './int-v2-model';
import type { IntPacket } from './int-v2-model';
import { CARRIERS, frameOf, u16, u32 } from './int-v2-packet';
import type { Carrier, Place, PlainPacket } from './int-v2-packet';

/** A Telemetry Report v2.0 as the specification has it, of the node that {@link REPORTS_SET_UP} makes. */
interface WantedReport {
  readonly sequence: number;
  /** Letters of D, Q and F. */
  readonly flags: string;
  readonly bits: number;
  readonly domain?: number;
  readonly dsBits?: number;
  /** Words of metadata. */
  readonly metadata: readonly number[];
  /** The frame that is reported, of which the report has what follows Ethernet. */
  readonly frame: Uint8Array;
}

export const COLLECTOR_PORT = 9;
const DATA_PORT = 2;
const SINK_PORT = 3;
const INNER_BYTES = 160;

/** Reports go out of port 9, which has a record, too. */
export const REPORTS_SET_UP: readonly string[] = [
  ...NODE_SET_UP,
  'add port_record standard_metadata.egress_port:9 set_port_record(node_id:0xfedcba98, capacity_mbps:1, ' +
    'queue_unit_bytes:0, clock_unit_ns:0, mtu:1400, tx_unit_bytes:1)',
  'mirroring_add 7 9',
  'add report_collector standard_metadata.egress_port:9 report_to(dst_mac:0x02000000000d, ' +
    'src_mac:0x02000000000c, src_addr:0x0a0000fe, dst_addr:0x0a0000fd, src_port:50004, dst_port:50003, ' +
    `node_id:0xfedcba98, hw_id:5, inner_bytes:${INNER_BYTES})`,
];

const FLAGS = [
  ['D', 0x80],
  ['Q', 0x40],
  ['F', 0x20],
] as const;

/** The whole frame of a report. */
function reportFrame(report: WantedReport): Uint8Array {
  const { sequence, flags, bits, domain = 0, dsBits = 0, metadata } = report;
  const inner = report.frame.subarray(14, 14 + INNER_BYTES);
  const flagBits = FLAGS.reduce(
    (sum, [letter, bit]) => sum | (flags.includes(letter) ? bit : 0),
    0,
  );
  const version = (report.frame[14] as number) >>> 4;
  const rest = 8 + 4 * metadata.length + inner.length;
  const words = rest % 4 === 0 && rest < 1020 ? rest / 4 : 0xff;
  const body = [
    ...u32(((2 << 28) | (5 << 22) | sequence) >>> 0),
    ...u32(0xfedcba98),
    0x10 | (version === 4 ? 4 : 5),
    words,
    metadata.length,
    flagBits,
    ...u16(bits),
    ...u16(domain),
    ...u16(dsBits),
    0,
    0,
    ...metadata.flatMap(u32),
    ...inner,
  ];
  const head = [0x45, 0, ...u16(28 + body.length), 0, 0, 0x40, 0, 64, 17, 0, 0];
  const ip = [...head, 10, 0, 0, 0xfe, 10, 0, 0, 0xfd];
  ip.splice(10, 2, ...u16(internetChecksum(Uint8Array.from(ip))));
  const udp = [...u16(50_004), ...u16(50_003), ...u16(8 + body.length), 0, 0];
  const macs = [2, 0, 0, 0, 0, 0xd, 2, 0, 0, 0, 0, 0xc];
  return Uint8Array.from([...macs, 8, 0, ...ip, ...udp, ...body]);
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Lines of a packet test, with what has left ports 2 and 3 and the number of the next report. */
class Script {
  readonly lines: string[] = [...REPORTS_SET_UP];
  #sequence = 0;
  readonly #sent = { [DATA_PORT]: 0, [SINK_PORT]: 0 };

  command(line: string): void {
    this.lines.push(line);
  }

  send(frame: Uint8Array): void {
    this.lines.push(`packet 1 ${hex(frame)}`);
  }

  /** Bytes that have left a port before. */
  sent(port: 2 | 3): number {
    return this.#sent[port];
  }

  /** `free`: where two bytes may be anything. */
  expect(port: 2 | 3, frame: Uint8Array, free?: number): void {
    this.#sent[port] += frame.length;
    this.#expect(port, frame, free);
  }

  expectReport(report: Omit<WantedReport, 'sequence'>): void {
    this.#expect(COLLECTOR_PORT, reportFrame({ sequence: this.#sequence++, ...report }));
  }

  #expect(port: number, frame: Uint8Array, free?: number): void {
    const text = hex(frame);
    const pattern =
      free === undefined ? text : `${text.slice(0, 2 * free)}****${text.slice(2 * free + 4)}`;
    this.lines.push(`expect ${port} ${pattern} $`);
  }

  get text(): string {
    return this.lines.join('\n');
  }
}

const plainOf = (family: 4 | 6, kind: PlainPacket['kind'], source: number): PlainPacket => ({
  family,
  kind,
  dscp: 5,
  source,
  optionWords: kind === 'geneve' ? 2 : 0,
  hasChecksum: true,
  greFields: [true, true, false],
  payload: Uint8Array.from({ length: 24 }, (_, i) => i),
});

const ALL_BITS = 0xff81;
const HOP_WORDS = 17;

/** Own metadata of all instructions but those that a report has not, where clocks and queues stand still. */
const allWords = (egress: 2 | 3): number[] => {
  const times = [0, 0, 0, 0];
  const interfaces2 = [0x1000_0001, 0x2000_0000 + egress];
  return [0x1_0000 + egress, 0, 0, ...times, ...interfaces2, 0, egress << 24];
};
const REPORTED_BITS = 0x7f80;
const domainWords = (txBytes: number): number[] => [0, txBytes, 400_000, 0];
const HP = { domain: HP_DOMAIN, dsBits: 0xe000 };

const KINDS: Readonly<Record<Carrier, PlainPacket['kind']>> = {
  dscp: 'udp',
  port: 'udp',
  'new-udp': 'tcp',
  marker: 'tcp',
  gre: 'gre',
  vxlan: 'vxlan',
  geneve: 'geneve',
  'new-gre': 'udp',
};

const at = (ttl: number, destination: 2 | 3 | 4): Place => ({
  ttl,
  destination: destination as 2 | 3,
});

/** A packet of INT-MD with an upstream hop, whatever that has written. */
const withHop = (plain: PlainPacket, carrier: Carrier): IntPacket => ({
  plain,
  carrier,
  instructions: { bitmap: 0x8000, domain: 0, ds: 0, hopWords: 1, maxHops: 8 },
  blocks: [u32(0x107)],
  flags: 0,
});

const setReports = (shift: number): string =>
  `setdefault report_settings set_reports(clone_session:7, shift:${shift}, latency_shift:3)`;

/** Sinks report the packet as it came with the stack, by every carrier, and their own hop beside it. */
export function sinkTest(): string {
  const script = new Script();
  script.command(setReports(0));
  let source = 1;
  for (const family of [4, 6] as const) {
    for (const carrier of CARRIERS.slice(1) as Carrier[]) {
      const plain = plainOf(family, KINDS[carrier], source++);
      const packet = {
        ...withHop(plain, carrier),
        instructions: { bitmap: 0xf000, domain: 0, ds: 0, hopWords: 4, maxHops: 8 },
        blocks: [[0x107, 0x0002_0003, 400, 0].flatMap(u32)],
      };
      script.send(intFrame(packet, at(61, SINK_PORT)));
      const restored = carrier === 'new-gre' ? at(63, SINK_PORT) : at(60, SINK_PORT);
      script.expect(SINK_PORT, frameOf(plain, restored));
      script.expectReport({
        flags: 'F',
        bits: 0x7000,
        metadata: [0x1_0003, 0, 0],
        frame: intFrame(packet, at(60, SINK_PORT)),
      });
    }
  }
  return script.text;
}

/** A switch that is source and sink adds nothing, and reports what it would have added. */
export function sourceAndSinkTest(): string {
  const script = new Script();
  const plains = ([4, 6] as const).map((family) => plainOf(family, 'udp', family));
  const shared = 'instructions:0xf001, domain_id:0, ds_instructions:0';
  script.command(
    `add watch_ipv4 1 protocol:17 add_int_md(carrier:1, ${shared}, hop_words:5, max_hops:8, discard:0, ` +
      'interval:2, slot:1)',
  );
  script.command(
    `add watch_ipv6 1 protocol:17 add_int_mx(carrier:3, ${shared}, discard:0, interval:2, slot:2)`,
  );
  const pass = (isReported: boolean): void => {
    for (const plain of plains) {
      const leaving = frameOf(plain, at(63, SINK_PORT));
      script.send(frameOf(plain, at(64, SINK_PORT)));
      script.expect(SINK_PORT, leaving);
      if (!isReported) continue;
      const own = { bits: 0x7000, metadata: [0x1_0003, 0, 0] };
      script.expectReport({ flags: 'F', ...own, frame: leaving });
    }
  };
  pass(false);
  pass(false);
  script.command(setReports(0));
  for (const isReported of [true, false, true]) pass(isReported);
  return script.text;
}

/** Every instruction of a report, also of our domain; of an unknown one there is nothing. */
export function instructionsTest(): string {
  const script = new Script();
  script.command(setReports(0));
  for (const [domain, ds] of [
    [HP_DOMAIN, 0xe000],
    [0x5453, 0x1234],
  ] as const) {
    const plain = plainOf(4, 'udp', domain);
    const packet: IntPacket = {
      plain,
      carrier: 'dscp',
      instructions: { bitmap: ALL_BITS, domain, ds, hopWords: HOP_WORDS, maxHops: 8 },
      blocks: [],
      flags: 0,
    };
    script.send(intFrame(packet, at(61, SINK_PORT)));
    const txBytes = script.sent(SINK_PORT);
    script.expect(SINK_PORT, frameOf(plain, at(60, SINK_PORT)));
    const isKnown = domain === HP_DOMAIN;
    script.expectReport({
      flags: 'F',
      bits: REPORTED_BITS,
      domain,
      dsBits: isKnown ? ds : 0,
      metadata: [...allWords(SINK_PORT), ...(isKnown ? domainWords(txBytes) : [])],
      frame: intFrame(packet, at(60, SINK_PORT)),
    });
  }
  return script.text;
}

/** Reports of packets that leave by two ports have no order of their own on bmv2, which has a thread for each. */
const APART = 'wait';

/** INT-MX: source, transit and sink report a hop each, by what source or header ask for. */
export function mxTest(): string {
  const script = new Script();
  script.command(setReports(0));
  const plain = plainOf(4, 'udp', 1);
  script.command(
    'add watch_ipv4 1 hdr.ipv4.src_addr:0x0a010001 add_int_mx(carrier:1, instructions:0xff81, ' +
      `domain_id:${HP_DOMAIN}, ds_instructions:0xe000, discard:0, interval:1, slot:0)`,
  );
  const sets = [...u16(0xff80), ...u16(HP_DOMAIN), ...u16(0xe000), 0, 0];
  const mx = { carrier: 'dscp' as const, type: 3, bytes: [0x20, 0, 0, 0, ...sets] };
  const hop = (egress: 2 | 3, frame: Uint8Array): void =>
    script.expectReport({
      flags: 'F',
      bits: REPORTED_BITS,
      ...HP,
      metadata: [...allWords(egress), ...domainWords(script.sent(egress))],
      frame,
    });
  script.send(frameOf(plain, at(64, DATA_PORT)));
  hop(DATA_PORT, frameOf(plain, at(63, DATA_PORT)));
  script.expect(DATA_PORT, frameOf(plain, at(63, DATA_PORT), mx));
  script.command(APART);
  script.send(frameOf(plain, at(62, DATA_PORT), mx));
  hop(DATA_PORT, frameOf(plain, at(61, DATA_PORT), mx));
  script.expect(DATA_PORT, frameOf(plain, at(61, DATA_PORT), mx));
  script.command(APART);
  script.send(frameOf(plain, at(61, SINK_PORT), mx));
  hop(SINK_PORT, frameOf(plain, at(60, SINK_PORT), mx));
  script.expect(SINK_PORT, frameOf(plain, at(60, SINK_PORT)));
  return script.text;
}

/** INT-XD: packets stay as they are and every third of a flow is reported; without settings none is. */
export function exportTest(): string {
  const script = new Script();
  for (const family of [4, 6] as const) {
    const address = family === 4 ? '0x0a010001' : '0x20010db8000000000000000000010001';
    script.command(
      `add watch_ipv${family} 1 hdr.ipv${family}.src_addr:${address} export_int(instructions:0xffff, ` +
        `domain_id:${HP_DOMAIN}, ds_instructions:0xffff, interval:3, slot:${family})`,
    );
  }
  const pass = (family: 4 | 6, isReported: boolean): void => {
    const plain = plainOf(family, 'tcp', 1);
    const leaving = frameOf(plain, at(63, DATA_PORT));
    script.send(frameOf(plain, at(64, DATA_PORT)));
    if (isReported) {
      const metadata = [...allWords(DATA_PORT), ...domainWords(script.sent(DATA_PORT))];
      script.expectReport({ flags: 'F', bits: REPORTED_BITS, ...HP, metadata, frame: leaving });
    }
    script.expect(DATA_PORT, leaving);
  };
  for (let i = 0; i < 3; i++) pass(4, false);
  script.command(setReports(0));
  for (let i = 0; i < 7; i++) pass(4, i % 3 === 0);
  for (let i = 0; i < 4; i++) pass(6, i % 3 === 0);
  return script.text;
}

const MATCHES_ALL = [4, 6].map(
  (family) => `add dropped_ipv${family} 1 protocol:17 report_drop(clone_session:7, shift:0)`,
);

/** Drops: what ingress refuses, with its reason; what no line matches is not reported. */
export function dropTest(): string {
  const script = new Script();
  MATCHES_ALL.forEach((line) => script.command(line));
  const dropped = (frame: Uint8Array, reason: number, flags = 'D'): void => {
    script.send(frame);
    const metadata = [0x1_ffff, 0, 0, 0xff00_0000 + (reason << 16)];
    script.expectReport({ flags, bits: 0x4801, metadata, frame });
  };
  for (const family of [4, 6] as const) {
    const plain = plainOf(family, 'udp', 7);
    dropped(frameOf(plain, at(1, DATA_PORT)), 26);
    dropped(frameOf(plain, at(64, 4)), 29);
    dropped(intFrame(withHop(plain, 'dscp'), at(1, DATA_PORT)), 26, 'DF');
  }
  const damaged = frameOf(plainOf(4, 'udp', 7), at(64, DATA_PORT));
  damaged[25] = (damaged[25] as number) ^ 0x55;
  dropped(damaged, 25);
  script.send(frameOf(plainOf(4, 'tcp', 7), at(1, DATA_PORT)));
  return script.text;
}

/** A congested queue: so many reports of one congestion, and Q in reports of flows beyond. */
export function queueTest(): string {
  const script = new Script();
  script.command(setReports(0));
  script.command(
    'add watched_queue standard_metadata.egress_port:2 watch_queue(queue_bytes:0, latency_ns:0xffffffff, ' +
      'quota:2, instructions:0x3000)',
  );
  const plain = plainOf(4, 'udp', 1);
  const leaving = frameOf(plain, at(63, DATA_PORT));
  for (const isReported of [true, true, false]) {
    script.send(frameOf(plain, at(64, DATA_PORT)));
    script.expect(DATA_PORT, leaving);
    if (isReported)
      script.expectReport({ flags: 'Q', bits: 0x3000, metadata: [0, 0], frame: leaving });
  }
  script.command(
    'add watch_ipv4 1 protocol:17 export_int(instructions:0x4000, domain_id:0, ds_instructions:0, ' +
      'interval:1, slot:0)',
  );
  script.send(frameOf(plain, at(64, DATA_PORT)));
  script.expect(DATA_PORT, leaving);
  script.expectReport({ flags: 'QF', bits: 0x7000, metadata: [0x1_0002, 0, 0], frame: leaving });
  return script.text;
}

/**
 * Reports of other switches on their way, to UDP port 4791 of a host here, are never reported: neither for the
 * queue, whose quota they leave alone, nor for a watchlist that matches them, nor for telemetry inside.
 */
export function exemptTest(): string {
  const script = new Script();
  script.command(setReports(0));
  for (const line of [
    'watched_queue standard_metadata.egress_port:2 watch_queue(queue_bytes:0, latency_ns:0xffffffff, ' +
      'quota:2, instructions:0x3000)',
    'watched_queue standard_metadata.egress_port:3 watch_queue(queue_bytes:0, latency_ns:0xffffffff, ' +
      'quota:2, instructions:0x3000)',
    'exempt_flows hdr.ipv4.dst_addr:0x0a000002 dst_port:4791 exempt()',
    'exempt_flows hdr.ipv4.dst_addr:0x0a000003 dst_port:4791 exempt()',
    'watch_ipv4 1 hdr.ipv4.src_addr:0x0a010002 export_int(instructions:0x4000, domain_id:0, ' +
      'ds_instructions:0, interval:1, slot:0)',
  ]) {
    script.command(`add ${line}`);
  }
  const pass = (plain: PlainPacket, report?: Pick<WantedReport, 'flags' | 'bits' | 'metadata'>) => {
    const leaving = frameOf(plain, at(63, DATA_PORT));
    script.send(frameOf(plain, at(64, DATA_PORT)));
    script.expect(DATA_PORT, leaving);
    if (report !== undefined) script.expectReport({ ...report, frame: leaving });
  };
  const onQueue = { flags: 'Q', bits: 0x3000, metadata: [0, 0] };
  pass(plainOf(4, 'udp', 1));
  pass(plainOf(4, 'udp', 2));
  pass(plainOf(4, 'tcp', 1), onQueue);
  pass(plainOf(4, 'udp', 1));
  pass(plainOf(6, 'udp', 1), onQueue);
  pass(plainOf(4, 'tcp', 1));
  pass(plainOf(4, 'tcp', 2), { flags: 'QF', bits: 0x4000 | 0x3000, metadata: [0x1_0002, 0, 0] });
  const plain = plainOf(4, 'udp', 3);
  script.send(intFrame(withHop(plain, 'dscp'), at(61, SINK_PORT)));
  script.expect(SINK_PORT, frameOf(plain, at(60, SINK_PORT)));
  return script.text;
}

const IN_TURN = [
  [1, true],
  [1, false],
  [2, true],
  [1, false],
  [2, false],
] as const;

/** A window: a flow is reported once, and another flow is its own. */
export function windowTest(): string {
  const script = new Script();
  script.command(setReports(40));
  script.command(
    'add watch_ipv4 1 protocol:17 export_int(instructions:0x4000, domain_id:0, ds_instructions:0, ' +
      'interval:1, slot:0)',
  );
  for (const [source, isReported] of IN_TURN) {
    const plain = plainOf(4, 'udp', source);
    const leaving = frameOf(plain, at(63, DATA_PORT));
    script.send(frameOf(plain, at(64, DATA_PORT)));
    script.expect(DATA_PORT, leaving);
    if (isReported)
      script.expectReport({ flags: 'F', bits: 0x4000, metadata: [0x1_0002], frame: leaving });
  }
  return script.text;
}

/** Drops in a window: a flow is reported once for each reason. */
export function dropWindowTest(): string {
  const script = new Script();
  MATCHES_ALL.forEach((line) => script.command(line.replace('shift:0', 'shift:50')));
  for (const [source, isReported] of IN_TURN) {
    for (const [place, reason] of [
      [at(1, DATA_PORT), 26],
      [at(64, 4), 29],
    ] as const) {
      const frame = frameOf(plainOf(6, 'udp', source), place);
      script.send(frame);
      if (!isReported) continue;
      const metadata = [0x1_ffff, 0, 0, 0xff00_0000 + (reason << 16)];
      script.expectReport({ flags: 'D', bits: 0x4801, metadata, frame });
    }
  }
  return script.text;
}

/** Unavailable metadata have no bit, and a packet longer than the collector wants is cut. */
export function limitsTest(): string {
  const script = new Script();
  script.lines.splice(
    0,
    script.lines.length,
    ...REPORTS_SET_UP.filter((line) => !/interface|port_buffer|utilization/.test(line)),
  );
  script.command(setReports(0));
  script.command(
    'add watch_ipv6 1 protocol:17 export_int(instructions:0xffff, domain_id:0, ds_instructions:0xffff, ' +
      'interval:1, slot:0)',
  );
  for (const length of [300, 99, 100]) {
    const plain = { ...plainOf(6, 'udp', 1), payload: new Uint8Array(length) };
    const leaving = frameOf(plain, at(63, DATA_PORT));
    script.send(frameOf(plain, at(64, DATA_PORT)));
    script.expect(DATA_PORT, leaving);
    const metadata = allWords(DATA_PORT).slice(0, 7);
    script.expectReport({ flags: 'F', bits: 0x7c00, metadata, frame: leaving });
  }
  return script.text;
}
