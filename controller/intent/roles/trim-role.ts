import { TRIMMABLE_DSCP, TRIMMED_DSCP, TRIMMED_KEPT_BYTES } from '../../../common/wire/ip/trimming';
import { TRIM_QUEUE_BYTES_MAX } from '../../document/trim';
import type { TrimDocument } from '../../document/trim';
import type { TableEntry } from '../../entities/table-entry';
import type { Surroundings } from '../routing/forwarding';
import { actionEntry, roleOf } from './role-parts';

/** Queue of headers, which is served before all others. */
export const HEADER_QUEUE = 7;

/** Trimming: which packets may be cut to their headers, from which length of their queue on, and those that were. */
export const TRIM_ROLE = roleOf({
  what: 'trim',
  tables: ['trim_of_dscp', 'queue_max_of_port'],
  section: ({ trim }) => trim,
  fill: (trim, { place }) => ({
    entries: [
      actionEntry('trim_of_dscp', { dscp: TRIMMABLE_DSCP }, 'trim_above', {
        queue_bytes: trim.queueBytes,
        kept_bytes: TRIMMED_KEPT_BYTES,
        trimmed_dscp: TRIMMED_DSCP,
        queue: HEADER_QUEUE,
      }),
      actionEntry('trim_of_dscp', { dscp: TRIMMED_DSCP }, 'serve_first', { queue: HEADER_QUEUE }),
      ...lengthsOfPorts(trim, place),
    ],
  }),
});

/** Entries of those ports whose rate is another than the length is for. */
function lengthsOfPorts(
  { queueBytes, forGbps }: TrimDocument,
  { ports }: Surroundings,
): readonly TableEntry[] {
  if (forGbps === undefined) return [];
  return ports
    .filter(({ link }) => link.rate !== forGbps * 1e9)
    .map(({ port, link }) => {
      const bytes = Math.max(1, Math.round((queueBytes * link.rate) / (forGbps * 1e9)));
      const queue_bytes = Math.min(TRIM_QUEUE_BYTES_MAX, bytes);
      return actionEntry('queue_max_of_port', { port }, 'set_queue_max', { queue_bytes });
    });
}
