import { SPRAY_POLICIES } from './spray';
import { trimSchema } from './trim';
import { usidSchema } from './usid';
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
import { servicePathsSchema } from './service-paths';
import { signingSchema, sipHashKeySchema } from './signing';

/** A program: the name of one that this project brings, or p4c's two files. */
const programSchema = z.union([
  z.string(),
  z.strictObject({
    p4info: z.string().describe('P4Info in text, JSON or binary form.'),
    config: z.string().describe('JSON of p4c for bmv2.'),
  }),
  /** Files that a compiler for Tofino has written, for Stratum. */
  z.strictObject({
    p4info: z.string().describe('P4Info in text, JSON or binary form.'),
    conf: z.string().describe('Configuration of a program for Tofino, as p4c writes it.'),
  }),
]);

const whole = (max: number): z.ZodNumber => z.int().min(0).max(max);
const counted = (max: number): z.ZodNumber => z.int().min(1).max(max);

const WEIGHT_MAX = 255;

const tlsSchema = z.strictObject({
  ca: z.string().describe("Certificate of whoever signed the switch's."),
  cert: z
    .string()
    .optional()
    .describe('Certificate and key of the controller, where switches ask for one.'),
  key: z.string().optional().describe("Key of the controller's certificate."),
});

const queueSchema = z.strictObject({
  depthPackets: counted(0x7fff_ffff).optional().describe('Packets that a queue of a port holds.'),
  enforceRate: z
    .boolean()
    .optional()
    .describe('True if queues are emptied at the rate of their link. Default true.'),
});

/** One of a port's several queues, with its share of the link's rate. */
const prioritySchema = z.strictObject({
  priority: whole(31).describe('Number of the queue; 7 is served first.'),
  share: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe("Share of the port's rate that the queue is limited to."),
  weight: counted(WEIGHT_MAX)
    .optional()
    .describe('Weight in place of that of its class, where queues share the port by weights.'),
  depthPackets: counted(0x7fff_ffff).optional().describe('Packets that this queue holds.'),
});

const portSchema = queueSchema.extend({
  port: whole(510).describe('Number of the port in the data plane.'),
  priorities: z.array(prioritySchema).optional().describe('Settings of single queues.'),
  untrusted: z.boolean().optional().describe('Telemetry that comes in here is not believed.'),
});

const switchSchema = z.strictObject({
  name: z.string().min(1).describe('Name of the switch, as links write it.'),
  deviceId: whole(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("Position in the list from 1 on unless given; 0 is bmv2's own default."),
  nodeId: counted(0xffff)
    .optional()
    .describe(
      'Number of the switch in telemetry; its position in the list from 1 on unless given.',
    ),
  address: addressSchema.optional().describe('Address of its P4Runtime server.'),
  thrift: addressSchema.optional().describe('Address of its Thrift server, which sets queues.'),
  gnmi: addressSchema.optional().describe('Address of its gNMI server, which sets ports.'),
  chassis: chassisSchema
    .optional()
    .describe("Places of Stratum's ports, for `hpcc controller chassis`."),
  target: z
    .enum(['bmv2', 'embedded', 'stratum'])
    .default('bmv2')
    .describe('Kind of the switch, which decides about clocks and units of queues.'),
  program: programSchema.optional().describe('Another program than that of the network.'),
  tls: tlsSchema
    .optional()
    .describe('Certificates for this switch, in place of those of the network.'),
  packetBytes: counted(0xffff)
    .optional()
    .describe(
      'Bytes on the wire of the packets that stand in queues which are counted in packets.',
    ),
  clockUnitNs: counted(0xffff)
    .optional()
    .describe("Nanoseconds in a unit of the data plane's clock."),
  queueUnitBytes: counted(0xffff)
    .optional()
    .describe("Bytes in a unit of the data plane's queue depth."),
  queues: queueSchema.optional().describe('Settings of all queues of the switch.'),
  ports: z.array(portSchema).default([]).describe('Settings of single ports.'),
  ipv4: ipv4Schema
    .optional()
    .describe(
      'Its own address, from which reports come; 10.255.x.y with its node id unless given.',
    ),
  entries: z
    .array(entrySchema)
    .default([])
    .describe('Entries beside those that follow from hosts, links and telemetry.'),
  ...profileSchema,
  ...replicationSchema,
  unmanagedTables: z
    .array(z.string())
    .default([])
    .describe('Tables whose entries belong to somebody else.'),
});

const hostSchema = z.strictObject({
  name: z.string().min(1).describe('Name of the host, as links write it.'),
  mac: macSchema.optional().describe('MAC address, needed where packets are routed to it.'),
  ipv4: ipv4Schema.optional().describe('IPv4 address.'),
  ipv6: ipv6Schema.optional().describe('IPv6 address.'),
  mtu: z.int().min(68).max(0xffff).optional().describe('Largest packet that it takes.'),
  telemetry: z
    .boolean()
    .default(true)
    .describe(
      'False for a host that cannot read telemetry: edge switches take it out at its port.',
    ),
});

const linkSchema = z.strictObject({
  between: z
    .tuple([z.string(), z.string()])
    .describe('`switch:port`, or the name of a host; of one with several links, `host:port`.'),
  rate: rateSchema.describe('Rate of the link, from its first end to the second.'),
  delay: durationSchema
    .prefault('0 ns')
    .describe(
      'Propagation delay in one direction; decides about shortest paths only where there are several.',
    ),
  backRate: rateSchema
    .optional()
    .describe('Rate from the second end to the first; that of the other direction unless given.'),
  backDelay: durationSchema
    .optional()
    .describe('Delay from the second end to the first; that of the other direction unless given.'),
  mtu: z.int().min(68).max(0xffff).optional().describe('Largest packet that fits through.'),
  up: z.boolean().default(true).describe('False for a link that is out of service.'),
});

const watchSchema = z.strictObject({
  switch: z.string().describe('Switch that is the INT source.'),
  from: prefixSchema.optional().describe('Prefix of source addresses.'),
  to: prefixSchema.optional().describe('Prefix of destination addresses.'),
  protocol: z.enum(['udp', 'tcp']).optional().describe('Transport of the flow.'),
  fromPort: whole(0xffff).optional().describe('Source port.'),
  toPort: whole(0xffff).optional().describe('Destination port.'),
  dscp: whole(63).optional().describe('Marked packets only.'),
  oneIn: whole(0xffff)
    .default(1)
    .describe('Telemetry in one of so many packets; 0 for an exception from the lines below.'),
});

/** IPv6 with TCP, shim and header of INT, and eight hops of 32 bytes; the payload's first bytes for the rest. */
const REPORTED_BYTES = 384;

const collectorSchema = z.strictObject({
  host: z.string().describe('Name of the host that takes the reports.'),
  port: counted(0xffff).describe('Its UDP port.'),
  cloneSession: counted(0x7fff).default(100).describe('Mirroring session that reports use.'),
  innerBytes: whole(0xffff)
    .default(REPORTED_BYTES)
    .describe(
      'Bytes of a reported packet that are sent, from its IP header on: by default IPv6, TCP and eight hops.',
    ),
});

const feedbackSchema = z.strictObject({
  queueBytes: counted(0xffff_ffff).describe(
    'Depth of a queue in bytes at which a switch answers the sender itself.',
  ),
  interval: durationSchema
    .prefault('100 us')
    .describe(
      'One answer per sending host in this time; in sixteen times as long while the queue gets shorter.',
    ),
  responseDscp: whole(63).default(0).describe('DSCP of the answers.'),
  toReceiver: z
    .boolean()
    .default(false)
    .describe('True if answers go on to the receiver instead of back.'),
  cloneSession: counted(0x7fff).default(101).describe('Mirroring session that answers use.'),
  port: whole(510).default(510).describe('A port without link, through which answers pass.'),
  signing: signingSchema
    .optional()
    .describe(
      'Keys that switches sign answers with, if their program can (hpcc-feedback-signed): hosts with keys need it.',
    ),
});

/** Switches choose which of the packets that ask get telemetry. */
const insertionSchema = z.strictObject({
  queueBytes: counted(0xff_ffff).describe(
    'Depth of a queue in bytes from which on every packet gets it.',
  ),
  interval: durationSchema.describe(
    "A flow's packet gets it that long after the one before; a round trip.",
  ),
});

/** Telemetry shows loads relative to capacities, under aliases (hpcc-relative). */
const relativeSchema = z.strictObject({
  nominalGbps: z
    .number()
    .positive()
    .max(4_000_000)
    .default(100)
    .describe('Capacity that every port is shown with, in Gb/s.'),
  key: sipHashKeySchema.describe('16 bytes, from which the aliases of ports are made.'),
});

const namespaceSchema = z.strictObject({
  id: whole(0xffff).describe('Number of the namespace.'),
  hpcc: z
    .boolean()
    .default(true)
    .describe('True if its fields have the meaning that HPCC++ needs.'),
  data: whole(0xffff_ffff)
    .optional()
    .describe('Data of the namespace that nodes add; default: all ones, for no data.'),
  wideData: whole(Number.MAX_SAFE_INTEGER).optional().describe('The same in 64 bits.'),
  directExport: z
    .strictObject({
      gapNs: whole(Number.MAX_SAFE_INTEGER)
        .default(0)
        .describe('Time between two reports through a port; 0: every packet is reported.'),
    })
    .optional()
    .describe('Reports to the collector of packets that ask for direct export (RFC 9326).'),
});

/** Telemetry functions of the switches beyond transit. */
export const telemetrySchema = z.strictObject({
  txUnitBytes: counted(0x8000)
    .optional()
    .describe('Unit to which the byte counter is truncated, a power of two.'),
  maxHops: counted(31)
    .default(10)
    .describe('Hops that telemetry which a switch adds has room for.'),
  watch: z
    .array(watchSchema)
    .default([])
    .describe(
      'Flows to which a switch adds telemetry on behalf of their host; the first line that fits.',
    ),
  collector: collectorSchema.optional().describe('Host that takes reports.'),
  untrustedDscp: whole(63)
    .default(0)
    .describe('DSCP that packets with telemetry get which come in at an untrusted port.'),
  feedback: feedbackSchema
    .optional()
    .describe('Answers of switches to senders when a queue is long (hpcc-feedback).'),
  insertion: insertionSchema
    .optional()
    .describe('Choice of packets that get telemetry by the switches (hpcc-sparse).'),
  int: intSchema
    .optional()
    .describe('INT v2.1 beyond our own domain, in switches whose program has all of it.'),
  relative: relativeSchema
    .optional()
    .describe('Loads relative to a nominal capacity, under aliases of links (hpcc-relative).'),
  classes: z
    .array(
      z.strictObject({
        dscp: whole(63).describe('DSCP of the packets.'),
        queue: whole(7).describe('Queue that they wait in.'),
        weight: counted(WEIGHT_MAX)
          .optional()
          .describe(
            'Weight of the queue (DWRR); queues without one are served before all that have one.',
          ),
      }),
    )
    .default([])
    .describe('Queues of a port by DSCP; 7 is served first.'),
  classWindow: durationSchema
    .prefault('10 us')
    .describe(
      'Time after a packet for which its queue counts among those that share the port by weights.',
    ),
  ioam: z
    .strictObject({
      namespaces: z
        .array(namespaceSchema)
        .default([])
        .describe('Namespaces whose data the switches add.'),
      servicePaths: servicePathsSchema,
    })
    .prefault({})
    .describe('Namespaces of IOAM transit nodes; IOAM may come in at all ports that are trusted.'),
  csig: z
    .strictObject({
      windowNs: counted(2 ** 30)
        .refine((ns) => Number.isInteger(Math.log2(ns)), {
          message: 'must be a power of two',
        })
        .describe('Over which switches measure what a port leaves free: a power of two.'),
      delayStepNs: counted(1_000_000).describe('The shortest delay that has a bucket of its own.'),
    })
    .optional()
    .describe("Meaning of CSIG's signals to switches and hosts of HPCC++ (docs/p4.md)."),
  digest: z
    .strictObject({ baseRtt: durationSchema.describe('Base round-trip time of the network.') })
    .optional()
    .describe('T, over which switches of the profile hpcc-pint filter the load of their ports.'),
  ecn: z
    .strictObject({
      minBytes: whole(0xffff_ffff).describe('Depth from which packets are marked.'),
      maxBytes: whole(0xffff_ffff).describe('Depth from which all are marked.'),
      maxProbability: z
        .number()
        .min(0)
        .max(1)
        .default(1)
        .describe('Share of packets marked just below `maxBytes`.'),
      forGbps: z
        .number()
        .positive()
        .optional()
        .describe(
          'The depths are those of ports of this rate, and in proportion of others. Default: of all.',
        ),
    })
    .optional()
    .describe('Depths in bytes of a queue between which packets are marked (ECN).'),
});

/** A whole network and what its switches shall hold. */
export const networkSchema = z.strictObject({
  network: z.string().min(1).default('network').describe('Name of the network, for people.'),
  program: programSchema
    .default('hpcc')
    .describe('P4 program of all switches: a profile of p4.md, or files of p4c.'),
  ecmpSeed: whole(0xffff_ffff)
    .default(0)
    .describe("Seed of the switches' ECMP seeds: another one spreads flows differently."),
  watchPorts: z
    .boolean()
    .default(false)
    .describe('True if ECMP groups leave out ports that the switch itself knows to be down.'),
  tls: tlsSchema
    .optional()
    .describe('Certificates with which the controller and all switches know each other.'),
  telemetry: telemetrySchema
    .prefault({})
    .describe('Telemetry functions of the switches beyond transit.'),
  spray: z
    .enum(SPRAY_POLICIES)
    .optional()
    .describe(
      'What switches choose by among equal paths for each packet, if their program can (hpcc-spray). Default: a hash of the flow.',
    ),
  trim: trimSchema
    .optional()
    .describe(
      'Packets whose queue is full go on as headers, if the program of the switches can (hpcc-trim).',
    ),
  usid: usidSchema
    .optional()
    .describe(
      'Hosts write paths of uSIDs into their IPv6 destinations, if the program of the switches can (hpcc-usid).',
    ),
  coordination: coordinationSchema
    .optional()
    .describe('Coordinated congestion management, in switches whose program has it.'),
  switches: z.array(switchSchema).min(1).describe('The switches and where their servers are.'),
  hosts: z.array(hostSchema).default([]).describe('Hosts, to which routes are made.'),
  links: z
    .array(linkSchema)
    .default([])
    .describe('Links, from which routes, queues and rates follow.'),
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
