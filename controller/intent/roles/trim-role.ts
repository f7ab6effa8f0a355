import { TRIMMABLE_DSCP, TRIMMED_DSCP, TRIMMED_KEPT_BYTES } from '../../../common/wire/ip/trimming';
import { actionEntry, roleOf } from './role-parts';

/** Queue of headers, which is served before all others. */
export const HEADER_QUEUE = 7;

/** Trimming: which packets may be cut to their headers, from which length of their queue on, and those that were. */
export const TRIM_ROLE = roleOf({
  what: 'trim',
  tables: ['trim_of_dscp'],
  section: ({ trim }) => trim,
  fill: ({ queueBytes }) => ({
    entries: [
      actionEntry('trim_of_dscp', { dscp: TRIMMABLE_DSCP }, 'trim_above', {
        queue_bytes: queueBytes,
        kept_bytes: TRIMMED_KEPT_BYTES,
        trimmed_dscp: TRIMMED_DSCP,
        queue: HEADER_QUEUE,
      }),
      actionEntry('trim_of_dscp', { dscp: TRIMMED_DSCP }, 'serve_first', { queue: HEADER_QUEUE }),
    ],
  }),
});
