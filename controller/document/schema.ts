import { z } from 'zod';
import { chassisSchema } from './chassis';
import { coordinationSchema } from './coordination';
import { entrySchema, profileSchema, replicationSchema } from './entry-schema';
import {
  addressSchema,
  durationSchema,
  ipv4Schema,
  ipv6Schema,
  macSchema,
  prefixSchema,
  rateSchema,
} from './quantities';
import { intSchema } from './int-telemetry';
import { signingSchema, sipHashKeySchema } from './signing';

/** A program: the name of one that this project brings, or p4c's two files. */
const programSchema = z.union([
  z.string(),
  z.strictObject({ p4info: z.string(), config: z.string() }),
  /** Files that a compiler for Tofino has written, for Stratum. */
  z.strictObject({ p4info: z.string(), conf: z.string() }),
]);

const whole = (max: number): z.ZodNumber => z.int().min(0).max(max);
const counted = (max: number): z.ZodNumber => z.int().min(1).max(max);

const WEIGHT_MAX = 255;

const tlsSchema = z.strictObject({
  /** Certificate of whoever signed the switch's. */
  ca: z.string(),
  /** Certificate and key of the controller, where switches ask for one. */
  cert: z.string().optional(),
  key: z.string().optional(),
});

const queueSchema = z.strictObject({
  /** Packets that a queue of a port holds. */
  depthPackets: counted(0x7fff_ffff).optional(),
  /** True if queues are emptied at the rate of their link. Default true. */
  enforceRate: z.boolean().optional(),
});

/** One of a port's several queues, with its share of the link's rate. */
const prioritySchema = z.strictObject({
  priority: whole(31),
  share: z.number().gt(0).max(1).optional(),
  /** Weight in place of that of its class, where queues share the port by weights. */
  weight: counted(WEIGHT_MAX).optional(),
  depthPackets: counted(0x7fff_ffff).optional(),
});

const portSchema = queueSchema.extend({
  port: whole(510),
  priorities: z.array(prioritySchema).optional(),
  /** Telemetry that comes in here is not believed. */
  untrusted: z.boolean().optional(),
});

const switchSchema = z.strictObject({
  name: z.string().min(1),
  /** Position in the list from 1 on unless given; 0 is bmv2's own default. */
  deviceId: whole(Number.MAX_SAFE_INTEGER).optional(),
  nodeId: counted(0xffff).optional(),
  /** Address of its P4Runtime server. */
  address: addressSchema.optional(),
  /** Address of its Thrift server, which sets queues. */
  thrift: addressSchema.optional(),
  /** Address of its gNMI server, which sets ports. */
  gnmi: addressSchema.optional(),
  /** Places of Stratum's ports, for `hpcc controller chassis`. */
  chassis: chassisSchema.optional(),
  target: z.enum(['bmv2', 'embedded', 'stratum']).default('bmv2'),
  program: programSchema.optional(),
  tls: tlsSchema.optional(),
  /** Bytes on the wire of the packets that stand in queues which are counted in packets. */
  packetBytes: counted(0xffff).optional(),
  /** Nanoseconds in a unit of the data plane's clock. */
  clockUnitNs: counted(0xffff).optional(),
  /** Bytes in a unit of the data plane's queue depth. */
  queueUnitBytes: counted(0xffff).optional(),
  queues: queueSchema.optional(),
  ports: z.array(portSchema).default([]),
  /** Its own address, from which reports come; 10.255.x.y with its node id unless given. */
  ipv4: ipv4Schema.optional(),
  entries: z.array(entrySchema).default([]),
  ...profileSchema,
  ...replicationSchema,
  /** Tables whose entries belong to somebody else. */
  unmanagedTables: z.array(z.string()).default([]),
});

const hostSchema = z.strictObject({
  name: z.string().min(1),
  mac: macSchema.optional(),
  ipv4: ipv4Schema.optional(),
  ipv6: ipv6Schema.optional(),
  mtu: z.int().min(68).max(0xffff).optional(),
  /** False for a host that cannot read telemetry: edge switches take it out at its port. */
  telemetry: z.boolean().default(true),
});

const linkSchema = z.strictObject({
  /** `switch:port`, or the name of a host; of one with several links, `host:port`. */
  between: z.tuple([z.string(), z.string()]),
  rate: rateSchema,
  delay: durationSchema.default(0),
  mtu: z.int().min(68).max(0xffff).optional(),
  /** False for a link that is out of service. */
  up: z.boolean().default(true),
});

const watchSchema = z.strictObject({
  switch: z.string(),
  from: prefixSchema.optional(),
  to: prefixSchema.optional(),
  protocol: z.enum(['udp', 'tcp']).optional(),
  fromPort: whole(0xffff).optional(),
  toPort: whole(0xffff).optional(),
  /** Marked packets only. */
  dscp: whole(63).optional(),
  /** Telemetry in one of so many packets; 0 for an exception from the lines below. */
  oneIn: whole(0xffff).default(1),
});

/** IPv6 with TCP, shim and header of INT, and eight hops of 32 bytes; the payload's first bytes for the rest. */
const REPORTED_BYTES = 384;

const collectorSchema = z.strictObject({
  /** Name of the host that takes the reports. */
  host: z.string(),
  /** Its UDP port. */
  port: counted(0xffff),
  cloneSession: counted(0x7fff).default(100),
  /** Bytes of a reported packet that are sent, from its IP header on: by default IPv6, TCP and eight hops. */
  innerBytes: whole(0xffff).default(REPORTED_BYTES),
});

const feedbackSchema = z.strictObject({
  /** Depth of a queue in bytes at which a switch answers the sender itself. */
  queueBytes: counted(0xffff_ffff),
  /** One answer per sending host in this time; in sixteen times as long while the queue gets shorter. */
  interval: durationSchema.prefault('100 us'),
  responseDscp: whole(63).default(0),
  /** True if answers go on to the receiver instead of back. */
  toReceiver: z.boolean().default(false),
  cloneSession: counted(0x7fff).default(101),
  /** A port without link, through which answers pass. */
  port: whole(510).default(510),
  /**
   * Keys that switches sign answers with, if their program can (hpcc-feedback-signed): hosts with keys need
   * it.
   */
  signing: signingSchema.optional(),
});

/** Switches choose which of the packets that ask get telemetry. */
const insertionSchema = z.strictObject({
  /** Depth of a queue in bytes from which on every packet gets it. */
  queueBytes: counted(0xff_ffff),
  /** A flow's packet gets it that long after the one before; a round trip. */
  interval: durationSchema,
});

/** Telemetry shows loads relative to capacities, under aliases (hpcc-relative). */
const relativeSchema = z.strictObject({
  /** Capacity that every port is shown with, in Gb/s. */
  nominalGbps: z.number().positive().max(4_000_000).default(100),
  /** 16 bytes, from which the aliases of ports are made. */
  key: sipHashKeySchema,
});

const namespaceSchema = z.strictObject({
  id: whole(0xffff),
  /** True if its fields have the meaning that HPCC++ needs. */
  hpcc: z.boolean().default(true),
  /** Data of the namespace that nodes add; default: all ones, for no data. */
  data: whole(0xffff_ffff).optional(),
  wideData: whole(Number.MAX_SAFE_INTEGER).optional(),
});

/** Telemetry functions of the switches beyond transit. */
export const telemetrySchema = z.strictObject({
  /** Unit to which the byte counter is truncated, a power of two. */
  txUnitBytes: counted(0x8000).optional(),
  /** Hops that telemetry which a switch adds has room for. */
  maxHops: counted(31).default(10),
  /** Flows to which a switch adds telemetry on behalf of their host; the first line that fits. */
  watch: z.array(watchSchema).default([]),
  collector: collectorSchema.optional(),
  /** DSCP that packets with telemetry get which come in at an untrusted port. */
  untrustedDscp: whole(63).default(0),
  feedback: feedbackSchema.optional(),
  insertion: insertionSchema.optional(),
  /** INT v2.1 beyond our own domain, in switches whose program has all of it. */
  int: intSchema.optional(),
  relative: relativeSchema.optional(),
  /** Queues of a port by DSCP; 7 is served first. */
  classes: z
    .array(
      z.strictObject({
        dscp: whole(63),
        queue: whole(7),
        /** Weight of the queue (DWRR); queues without one are served before all that have one. */
        weight: counted(WEIGHT_MAX).optional(),
      }),
    )
    .default([]),
  /** Time after a packet for which its queue counts among those that share the port by weights. */
  classWindow: durationSchema.default(10_000_000),
  /** Namespaces of IOAM transit nodes; IOAM may come in at all ports that are trusted. */
  ioam: z.strictObject({ namespaces: z.array(namespaceSchema).default([]) }).prefault({}),
  /** Meaning of CSIG's signals to switches and hosts of HPCC++ (docs/p4.md). */
  csig: z
    .strictObject({
      /** Over which switches measure what a port leaves free: a power of two. */
      windowNs: counted(2 ** 30).refine((ns) => Number.isInteger(Math.log2(ns)), {
        message: 'must be a power of two',
      }),
      /** The shortest delay that has a bucket of its own. */
      delayStepNs: counted(1_000_000),
    })
    .optional(),
  /** T, over which switches of the profile hpcc-pint filter the load of their ports. */
  digest: z.strictObject({ baseRtt: durationSchema }).optional(),
  /** Depths in bytes of a queue between which packets are marked (ECN). */
  ecn: z
    .strictObject({
      minBytes: whole(0xffff_ffff),
      maxBytes: whole(0xffff_ffff),
      /** Share of packets marked just below `maxBytes`. */
      maxProbability: z.number().min(0).max(1).default(1),
      /** The depths are those of ports of this rate, and in proportion of others. Default: of all. */
      forGbps: z.number().positive().optional(),
    })
    .optional(),
});

/** A whole network and what its switches shall hold. */
export const networkSchema = z.strictObject({
  network: z.string().min(1).default('network'),
  program: programSchema.default('hpcc'),
  /** Seed of the switches' ECMP seeds: another one spreads flows differently. */
  ecmpSeed: whole(0xffff_ffff).default(0),
  /** True if ECMP groups leave out ports that the switch itself knows to be down. */
  watchPorts: z.boolean().default(false),
  tls: tlsSchema.optional(),
  telemetry: telemetrySchema.prefault({}),
  /** Coordinated congestion management, in switches whose program has it. */
  coordination: coordinationSchema.optional(),
  switches: z.array(switchSchema).min(1),
  hosts: z.array(hostSchema).default([]),
  links: z.array(linkSchema).default([]),
});

export type NetworkDocument = z.infer<typeof networkSchema>;
/** The document as a person writes it: text with units, and only the values that differ from the defaults. */
export type NetworkText = z.input<typeof networkSchema>;
export type SwitchDocument = NetworkDocument['switches'][number];
export type PortDocument = SwitchDocument['ports'][number];
export type HostDocument = NetworkDocument['hosts'][number];
export type LinkDocument = NetworkDocument['links'][number];
export type TelemetryDocument = NetworkDocument['telemetry'];
export type TlsDocument = z.infer<typeof tlsSchema>;
export type ProgramDocument = z.infer<typeof programSchema>;
