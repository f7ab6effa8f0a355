import { equal } from './clause';
import type { ClauseOf } from './clause';
import { viewIoam } from './ioam-view';
import type { IoamView } from './ioam-view';
import { hex } from './packet-view';
import { TRACE_CLAUSES, TRACE_SECTION, unchanged } from './trace-clauses';
import type { TraceForm, TracePassage } from './trace-clauses';

const IPV6 = 'RFC 8200, 3';
const OPTION = 'RFC 9486, 3';

/** Clauses for transit nodes of the pre-allocated trace of IOAM in IPv6. */
export const IOAM_CLAUSES: readonly ClauseOf<TracePassage<IoamView>>[] = [
  unchanged('ioam-addresses', IPV6, ({ addresses }) => addresses),
  unchanged('ioam-traffic-class-and-flow-label', IPV6, ({ firstWord }) => firstWord),
  {
    name: 'ioam-hop-limit-decremented',
    section: IPV6,
    check: ({ sent, returned }) => equal('hop limit', sent.hopLimit - 1, returned.hopLimit),
  },
  unchanged('ioam-payload-length', TRACE_SECTION, ({ payloadLength }) => payloadLength),
  unchanged('ioam-other-options', OPTION, ({ otherOptions }) => otherOptions),
  unchanged('ioam-payload', OPTION, ({ payload }) => payload),
  unchanged('ioam-option-type', OPTION, ({ optionType }) => optionType),
  unchanged('ioam-option-length', TRACE_SECTION, ({ optionLength }) => optionLength),
  unchanged('ioam-type', OPTION, ({ ioamType }) => ioamType),
  {
    name: 'ioam-free-space-unchanged',
    section: TRACE_SECTION,
    check: ({ sent, returned, pushed, isKnown }) => {
      if (!isKnown) return undefined;
      const end = 4 * (sent.remainingWords - pushed);
      return equal(
        'free space',
        hex(sent.data.subarray(0, end)),
        hex(returned.data.subarray(0, end)),
      );
    },
  },
  {
    name: 'ioam-earlier-nodes-unchanged',
    section: TRACE_SECTION,
    check: ({ sent, returned, isKnown }) => {
      if (!isKnown) return undefined;
      const start = 4 * sent.remainingWords;
      return equal('nodes', hex(sent.data.subarray(start)), hex(returned.data.subarray(start)));
    },
  },
  ...TRACE_CLAUSES,
];

/** Pre-allocated traces in IPv6: nodes fill the last words of the free space. */
export const IOAM_FORM: TraceForm<IoamView> = {
  what: 'pre-allocated trace',
  view: viewIoam,
  clauses: IOAM_CLAUSES,
  found: (sent, returned) => sent.remainingWords - returned.remainingWords,
  nodeAt: (sent, pushed) => 4 * (sent.remainingWords - pushed),
};
