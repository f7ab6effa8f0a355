import { z } from 'zod';
import type { DocumentPath } from '../../common/document/schema-faults';
import type { InputError } from '../../common/errors';
import { CCM_NODE_ID_MAX } from '../../common/wire/coordination/ccm-tag';
import { durationSchema } from './quantities';
import { checkSigning, signingShape } from './signing';

const whole = (max: number): z.ZodNumber => z.int().min(0).max(max);
const counted = (max: number): z.ZodNumber => z.int().min(1).max(max);

/** Unless the document says otherwise, hosts forget a request after so many intervals. */
const HOLD_INTERVALS = 10;
/** Longest interval in which switches count what they have sent. */
const COUNTED_INTERVAL_MAX = 1e12;

/** Bytes of a queue that telemetry can tell. */
const QUEUE_BYTES_MAX = 0xff_ffff;

/** Coordination of congestion control with adaptive routing, by switches and hosts. */
export const coordinationSchema = z.strictObject({
  mode: z
    .enum(['ecmp', 'adaptive', 'coordinated'])
    .default('coordinated')
    .describe(
      'Routing of the switches: ECMP, re-routing without regard to tags, or the whole scheme.',
    ),
  paths: z
    .enum(['equal-cost', 'non-minimal'])
    .default('equal-cost')
    .describe('Paths to choose from: shortest ones, or also longer ones.'),
  balancing: z
    .enum(['adaptive', 'spray'])
    .default('adaptive')
    .describe(
      'Load balancing of the switches: flows change paths while there is a lighter one, or each packet takes the next path (draft-lyu section 4). In the mode `adaptive`, spray knows nothing of the state of paths.',
    ),
  highBytes: counted(QUEUE_BYTES_MAX).describe(
    'A port is congested from so many bytes behind a departing packet on.',
  ),
  lowBytes: whole(QUEUE_BYTES_MAX).describe('It is light again from so many bytes down.'),
  incastHighBytes: counted(QUEUE_BYTES_MAX)
    .optional()
    .describe(
      'The same of ports to hosts while packets of several flows leave them, where no other path helps and hosts have to slow down; as at other ports unless given.',
    ),
  incastLowBytes: whole(QUEUE_BYTES_MAX)
    .optional()
    .describe(
      'Such a port is light again from so many bytes down; as at other ports unless given.',
    ),
  interval: durationSchema
    .prefault('50 us')
    .describe('Shortest interval between two notifications per flow and type.'),
  releaseAfter: durationSchema
    .prefault('50 us')
    .describe('A port to a host must be light for so long before flows are released.'),
  releaseBelow: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe(
      'A port to a host that several flows share counts as congested for their release, however short its queue, while it sends at least this share of its capacity in an interval: hosts that control congestion keep it full. Unless given, only queues count.',
    ),
  holdTime: durationSchema
    .optional()
    .describe(
      'Hosts forget a request to control congestion after this time; 10 intervals unless given.',
    ),
  pinAge: durationSchema
    .prefault('1 ms')
    .describe('A flow without packets for so long has no path of its own any more.'),
  flowletGap: durationSchema
    .prefault('0 us')
    .describe(
      'A flow changes its path only after a gap of so long between its packets; 0 for at once.',
    ),
  loadWindow: durationSchema
    .optional()
    .describe(
      'Switches compare what they have sent to each port in such windows of time, rounded down to a power of two of nanoseconds, and not only queues; at most 2^31 ns. Unless given, only queues count.',
    ),
  ...signingShape,
  notificationDscp: whole(63).default(48).describe('DSCP of notifications.'),
  keepTagAtHosts: z.boolean().default(false).describe('True if stand-alone tags reach the hosts.'),
  cloneSession: counted(0x7fff).default(102).describe('Mirroring session that notifications use.'),
  port: whole(510).default(509).describe('A port without link, through which notifications pass.'),
});

export type CoordinationDocument = z.infer<typeof coordinationSchema>;

/** The parts of a network document that coordination depends on. */
interface Coordinated {
  readonly coordination?: CoordinationDocument | undefined;
  readonly switches: readonly { readonly name: string; readonly nodeId?: number | undefined }[];
  readonly links: readonly { readonly between: readonly string[] }[];
}

/** All thresholds, with those of incast filled in. */
export function thresholdsOf({
  highBytes,
  lowBytes,
  incastHighBytes = highBytes,
  incastLowBytes = lowBytes,
}: CoordinationDocument) {
  return { highBytes, lowBytes, incastHighBytes, incastLowBytes };
}

/** Time that hosts under control wait for another request, in ps. */
export const holdTimeOf = ({ holdTime, interval }: CoordinationDocument): number =>
  holdTime ?? HOLD_INTERVALS * interval;

/** Checks what a schema cannot: thresholds in order, node ids that fit the tag, names, the port. */
export function checkCoordination(
  { coordination, switches, links }: Coordinated,
  fault: (path: DocumentPath, sentence: string) => InputError,
): void {
  if (coordination === undefined) return;
  const { port } = coordination;
  const { highBytes, lowBytes, incastHighBytes, incastLowBytes } = thresholdsOf(coordination);
  checkOrder({ high: 'highBytes', low: 'lowBytes' }, { high: highBytes, low: lowBytes }, fault);
  checkOrder(
    { high: 'incastHighBytes', low: 'incastLowBytes' },
    { high: incastHighBytes, low: incastLowBytes },
    fault,
  );
  if (coordination.releaseBelow !== undefined && coordination.interval > COUNTED_INTERVAL_MAX) {
    const found = `found ${coordination.interval / COUNTED_INTERVAL_MAX} s`;
    throw fault(['coordination', 'interval'], `wanted at most 1 s with releaseBelow, ${found}`);
  }
  switches.forEach(({ nodeId }, i) => {
    const id = nodeId ?? i + 1;
    if (id <= CCM_NODE_ID_MAX) return;
    const wanted = `wanted a node id up to ${CCM_NODE_ID_MAX}, which coordination tags can name`;
    throw fault(['switches', i, 'nodeId'], `${wanted}, found ${id}`);
  });
  checkSigning(coordination, switches, ['coordination'], fault);
  const used = links.flatMap(({ between }) => between).find((end) => end.endsWith(`:${port}`));
  if (used !== undefined) {
    throw fault(['coordination', 'port'], `wanted a port without link, but '${used}' has one`);
  }
}

function checkOrder(
  name: { readonly high: string; readonly low: string },
  { high, low }: { readonly high: number; readonly low: number },
  fault: (path: DocumentPath, sentence: string) => InputError,
): void {
  if (low <= high) return;
  throw fault(['coordination', name.low], `wanted at most ${name.high}, ${high}, found ${low}`);
}
