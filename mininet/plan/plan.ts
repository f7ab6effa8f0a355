import { z } from 'zod';

/**
 * Schema of the plan for the runner under Mininet: everything is spelled out, so that it decides
 * nothing. The JSON Schema in mininet/plan.schema.json is made from this and is the contract of
 * both sides.
 */
export const PLAN_SCHEMA = 'hpcc-mininet-plan/1';

const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must be letters, digits, - or _');
const fileName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be a plain file name');
const mac = z.string().regex(/^([\da-f]{2}:){5}[\da-f]{2}$/);
const ipv4 = z.ipv4();
const serverAddress = z.string().regex(/^[\d.]+:\d{1,5}$/);
const seconds = z.number().nonnegative();
const argv = z.array(z.string()).min(1);

const processSchema = z.strictObject({
  name: name.describe('Unique in the plan; timeline and run.json refer to it.'),
  argv: argv.describe('Never a shell line.'),
  node: name
    .optional()
    .describe('Host whose network namespace it enters; where the switches run when absent.'),
  env: z.record(z.string(), z.string()).optional().describe("Added to the runner's environment."),
  cwd: z.string().optional(),
  group: name
    .optional()
    .describe('Process of `groups` that carries it; `argv` is then what would follow hpcc.'),
  stdout: fileName.describe('File in the output directory.'),
  stderr: fileName.describe('File in the output directory; may be the same as stdout.'),
  ready: z
    .strictObject({
      stream: z.enum(['stdout', 'stderr']),
      contains: z.string().min(1),
      deadlineSeconds: seconds,
    })
    .optional()
    .describe('The starter goes on once this text is in the stream; otherwise at once.'),
});

const switchSchema = z.strictObject({
  name,
  kind: z.enum(['bmv2', 'embedded']),
  deviceId: z.int().nonnegative(),
  process: processSchema.describe('Started once its interfaces exist.'),
  p4runtime: serverAddress.describe('Reachable when this accepts a connection.'),
  thrift: serverAddress.describe('Reachable when this accepts a connection.'),
  program: z
    .strictObject({ name: z.string(), p4info: z.string(), config: z.string() })
    .describe('Artefacts that the controller loads, for the record.'),
  ports: z.array(
    z.strictObject({
      port: z.int().nonnegative(),
      interface: z.string().max(15),
      mac,
      mtu: z.int().positive(),
      rateBps: z.number().positive().describe('Paced by the switch itself.'),
      queueDepthPackets: z.int().positive().nullable(),
    }),
  ),
});

const hostSchema = z.strictObject({
  name,
  mac,
  ipv4,
  prefixLength: z.int().min(1).max(32),
  mtu: z.int().positive(),
  interfaces: z
    .array(
      z.strictObject({
        interface: z.string().max(15),
        neighbours: z
          .array(z.strictObject({ ipv4, mac }))
          .describe('Permanent ARP entries, one for each other host.'),
      }),
    )
    .min(1)
    .describe('One for each link, with the same addresses; routes follow from the links.'),
});

const endSchema = z.strictObject({ node: name, interface: z.string().max(15) });

const linkSchema = z.strictObject({
  name: z.string().describe('As in the document: s1:2-s2:1 or h1-s1:1.'),
  a: endSchema,
  b: endSchema,
  delayUs: z.number().nonnegative().describe('From a to b, added by netem when above 0.'),
  backDelayUs: z.number().nonnegative().describe('From b to a, likewise.'),
  routed: z.boolean().describe('False while no route leads over it.'),
});

const at = seconds.describe('Seconds after readiness.');

const eventSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('start'), at, process: processSchema }),
  z.strictObject({
    action: z.literal('stop'),
    at,
    process: name,
    signal: z.enum(['SIGTERM', 'SIGINT', 'SIGKILL']),
    deadlineSeconds: seconds.describe('SIGKILL follows after this time.'),
  }),
  z.strictObject({
    action: z.literal('link'),
    at,
    link: z.string().describe('Name of a link; both ends are taken down or up.'),
    state: z.enum(['down', 'up']),
  }),
  z
    .strictObject({
      action: z.literal('wait'),
      at,
      process: name,
      deadlineSeconds: seconds.describe('It is killed, and the run has failed, after this time.'),
    })
    .describe('Until the process has ended; later events keep their own times.'),
]);

export const planSchema = z.strictObject({
  schema: z.literal(PLAN_SCHEMA),
  run: name.describe('Id of the run.'),
  experiment: z.string(),
  output: z.string().describe('Absolute path of an existing directory.'),
  groups: z
    .array(processSchema)
    .describe('Processes of hpcc group --commands, which start before all others.'),
  switches: z.array(switchSchema).min(1),
  hosts: z.array(hostSchema).min(2),
  links: z.array(linkSchema).min(1),
  setup: z
    .array(z.strictObject({ process: processSchema, deadlineSeconds: seconds }))
    .describe('One after the other once all switches are reachable; each must exit with 0.'),
  services: z
    .array(processSchema)
    .describe('Started after setup; the run is ready when all of them are.'),
  timeline: z.array(eventSchema).describe('In order of time; the run ends after the last one.'),
  captures: z.array(
    z.strictObject({
      node: name,
      interface: z.string().max(15),
      file: fileName,
      snapLength: z.int().positive(),
    }),
  ),
  sampling: z.strictObject({
    cpuMs: z.int().positive().describe('Between lines of cpu.jsonl.'),
    portsMs: z.int().positive().describe('Between lines of ports.jsonl.'),
  }),
});

export type Plan = z.infer<typeof planSchema>;
export type PlanProcess = z.infer<typeof processSchema>;
export type PlanSwitch = Plan['switches'][number];
export type PlanHost = Plan['hosts'][number];
export type PlanEvent = Plan['timeline'][number];
