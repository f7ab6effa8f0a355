import type { IoamNode } from '../../wire/ioam/ioam-node';
import { equal, judgeBy } from './clause';
import type { ClauseOf, Finding, Verdict } from './clause';
import { nodeAt, viewIoam, wordsOfNode } from './ioam-view';
import type { IoamView } from './ioam-view';
import { hex } from './packet-view';

/** A packet with a trace that went into a node, and the one that came out. */
export interface IoamPassage {
  readonly sent: IoamView;
  readonly returned: IoamView;
  /** True if the node must know the namespace. */
  readonly isKnown: boolean;
  /** Words of its data; 0 if the specification wants none, or lets it choose and it has chosen none. */
  readonly pushed: number;
  /** The data that it has written. */
  readonly node: IoamNode | undefined;
  /** Seconds of the node's clock in the packet before. */
  readonly previousSeconds: number | undefined;
}

/** Namespace that a node under test knows unless another is named. */
export const IOAM_NAMESPACE = 1;

const IPV6 = 'RFC 8200, 3';
const OPTION = 'RFC 9486, 3';
const TRACE = 'RFC 9197, 4.4.1';
const NODE = 'RFC 9197, 4.4.2';
const NAMESPACES = 'RFC 9197, 4.3';
const FLAGS = 'RFC 9322, 3';

const NODE_ID_NONE = 0xff_ffff;
const INTERFACE_NONE = 0xffff;
const ALL_ONES = 0xffff_ffff;
/** Bits of the trace type that nobody has defined. */
const UNDEFINED_BITS = 0x000ffc;

const unchanged = (name: string, section: string, pick: (view: IoamView) => unknown): Clause => ({
  name: `ioam-${name}-unchanged`,
  section,
  check: ({ sent, returned }) => equal(name.replaceAll('-', ' '), pick(sent), pick(returned)),
});

type Clause = ClauseOf<IoamPassage>;

const ofNode =
  (check: (node: IoamNode, passage: IoamPassage) => Finding) =>
  (passage: IoamPassage): Finding =>
    passage.node === undefined ? undefined : check(passage.node, passage);

/** Clauses for transit nodes of the pre-allocated trace of IOAM in IPv6. */
export const IOAM_CLAUSES: readonly Clause[] = [
  unchanged('addresses', IPV6, ({ addresses }) => addresses),
  unchanged('traffic-class-and-flow-label', IPV6, ({ firstWord }) => firstWord),
  {
    name: 'ioam-hop-limit-decremented',
    section: IPV6,
    check: ({ sent, returned }) => equal('hop limit', sent.hopLimit - 1, returned.hopLimit),
  },
  unchanged('payload-length', TRACE, ({ payloadLength }) => payloadLength),
  unchanged('other-options', OPTION, ({ otherOptions }) => otherOptions),
  unchanged('payload', OPTION, ({ payload }) => payload),
  unchanged('option-type', OPTION, ({ optionType }) => optionType),
  unchanged('option-length', TRACE, ({ optionLength }) => optionLength),
  unchanged('type', OPTION, ({ ioamType }) => ioamType),
  unchanged('reserved', TRACE, ({ reserved }) => reserved),
  unchanged('namespace', TRACE, ({ namespaceId }) => namespaceId),
  unchanged('node-length', TRACE, ({ nodeWords }) => nodeWords),
  unchanged('trace-type', TRACE, ({ traceType }) => traceType),
  unchanged('loopback-and-active', FLAGS, ({ otherFlags }) => otherFlags),
  {
    name: 'ioam-remaining-length-right',
    section: TRACE,
    check: ({ sent, returned, pushed, isKnown }) =>
      isKnown
        ? equal('remaining length', sent.remainingWords - pushed, returned.remainingWords)
        : undefined,
  },
  {
    name: 'ioam-overflow-without-room',
    section: TRACE,
    check: ({ sent, returned, isKnown }) =>
      isKnown && !hasRoom(sent) ? equal('O', true, returned.overflow) : undefined,
  },
  {
    name: 'ioam-overflow-unchanged-with-room',
    section: TRACE,
    check: ({ sent, returned }) =>
      hasRoom(sent) ? equal('O', sent.overflow, returned.overflow) : undefined,
  },
  {
    name: 'ioam-free-space-unchanged',
    section: TRACE,
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
    section: TRACE,
    check: ({ sent, returned, isKnown }) => {
      if (!isKnown) return undefined;
      const start = 4 * sent.remainingWords;
      return equal('nodes', hex(sent.data.subarray(start)), hex(returned.data.subarray(start)));
    },
  },
  {
    name: 'ioam-unknown-namespace-untouched',
    section: NAMESPACES,
    check: ({ sent, returned, isKnown }) =>
      isKnown
        ? undefined
        : equal(
            'trace',
            [sent.remainingWords, sent.overflow, hex(sent.data)],
            [returned.remainingWords, returned.overflow, hex(returned.data)],
          ),
  },
  {
    name: 'ioam-node-id-known',
    section: NODE,
    check: ofNode(({ nodeId }) =>
      nodeId === undefined ? undefined : nodeId !== NODE_ID_NONE || 'node id: all ones',
    ),
  },
  {
    name: 'ioam-node-hop-limit-right',
    section: NODE,
    check: ofNode(({ hopLimit }, { sent, returned }) => {
      if (hopLimit === undefined) return undefined;
      // The specification leaves open whether that of the packet as it came or as it leaves.
      return hopLimit === sent.hopLimit ? true : equal('hop limit', returned.hopLimit, hopLimit);
    }),
  },
  {
    name: 'ioam-wide-node-agrees',
    section: NODE,
    check: ofNode(({ hopLimit, wideNode }) =>
      hopLimit === undefined || wideNode === undefined
        ? undefined
        : equal('wide hop limit', hopLimit, wideNode.high >>> 24),
    ),
  },
  {
    name: 'ioam-interfaces-known',
    section: NODE,
    check: ofNode(({ ingressInterface, egressInterface }) => {
      if (ingressInterface === undefined) return undefined;
      const isNone = ingressInterface === INTERFACE_NONE && egressInterface === INTERFACE_NONE;
      return !isNone || 'both interfaces: all ones';
    }),
  },
  {
    name: 'ioam-clock-goes-on',
    section: NODE,
    check: ofNode(({ seconds }, { previousSeconds }) =>
      seconds === undefined || previousSeconds === undefined
        ? undefined
        : seconds >= previousSeconds || `seconds: ${seconds} follow ${previousSeconds}`,
    ),
  },
  {
    name: 'ioam-undefined-bits-all-ones',
    section: TRACE,
    check: ofNode(({ undefinedWords = [] }) =>
      undefinedWords.length === 0
        ? undefined
        : equal(
            'words',
            undefinedWords.map(() => ALL_ONES),
            undefinedWords,
          ),
    ),
  },
];

/** A node whose data have a length of its own needs a word of header at least. */
const hasRoom = (view: IoamView): boolean =>
  view.remainingWords >= (wordsOfNode(view) ?? view.nodeWords + 1);

/** Words that the node was to write into the trace, or has written where it may choose. */
function wordsPushed(sent: IoamView, returned: IoamView, isKnown: boolean): number {
  if (!isKnown || !hasRoom(sent)) return 0;
  const words = wordsOfNode(sent);
  const found = sent.remainingWords - returned.remainingWords;
  if (words === undefined) return Math.max(0, found);
  // Undefined bits may keep a node from writing, and O lets it pass the trace over.
  const mayChoose = sent.overflow || (sent.traceType & UNDEFINED_BITS) !== 0;
  return mayChoose && found === 0 ? 0 : words;
}

/** Judges what a transit node makes of packets with a pre-allocated trace, one after the other. */
export class IoamJudge {
  readonly #namespaceId: number;
  #previousSeconds: number | undefined;

  /** @param namespaceId the one that the node knows. */
  constructor(namespaceId: number) {
    this.#namespaceId = namespaceId;
  }

  /** @returns a sentence where one of the packets has no trace. */
  judge(sent: Uint8Array, returned: Uint8Array): readonly Verdict[] | string {
    const before = viewIoam(sent);
    if (before === undefined) return 'the packet that was sent has no pre-allocated trace';
    const after = viewIoam(returned, sent);
    if (after === undefined) return 'the packet that came back has no pre-allocated trace';
    const isKnown = before.namespaceId === this.#namespaceId;
    const pushed = wordsPushed(before, after, isKnown);
    const offset = 4 * (before.remainingWords - pushed);
    const node =
      pushed === 0 ? undefined : nodeAt({ ...after, traceType: before.traceType }, offset);
    const passage = { sent: before, returned: after, isKnown, pushed, node };
    const verdicts = judgeBy(IOAM_CLAUSES, { ...passage, previousSeconds: this.#previousSeconds });
    this.#previousSeconds = node?.seconds ?? this.#previousSeconds;
    return verdicts;
  }
}
