import { WireFault } from '../../wire/fault';
import { hasSnapshot, ioamNodeWords, parseIoamNode } from '../../wire/ioam/ioam-node';
import type { IoamNode } from '../../wire/ioam/ioam-node';
import { equal, judgeBy } from './clause';
import type { ClauseOf, Finding, Verdict } from './clause';
import { hex } from './packet-view';

/** A trace of IOAM in a packet, whatever carries it. */
export interface TraceView {
  /** Hop limit or TTL of the header that carries IOAM. */
  readonly hopLimit: number;
  /** Reserved bytes of the option and of the trace, and the reserved flag. */
  readonly reserved: readonly number[];
  readonly namespaceId: number;
  readonly nodeWords: number;
  readonly overflow: boolean;
  /** L and A. */
  readonly otherFlags: number;
  readonly remainingWords: number;
  readonly traceType: number;
  /** Free space if there is any, then nodes, newest first. */
  readonly data: Uint8Array;
}

/** A packet with a trace that went into a node, and the one that came out. */
export interface TracePassage<View extends TraceView> {
  readonly sent: View;
  readonly returned: View;
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

export const TRACE_SECTION = 'RFC 9197, 4.4.1';
const NODE = 'RFC 9197, 4.4.2';
const NAMESPACES = 'RFC 9197, 4.3';
const FLAGS = 'RFC 9322, 3';

const NODE_ID_NONE = 0xff_ffff;
const INTERFACE_NONE = 0xffff;
const ALL_ONES = 0xffff_ffff;
/** Bits of the trace type that nobody has defined. */
const UNDEFINED_BITS = 0x000ffc;

/** Clause about something that a node leaves as it came. */
export const unchanged = <View extends TraceView>(
  name: string,
  section: string,
  pick: (view: View) => unknown,
): ClauseOf<TracePassage<View>> => ({
  name: `${name}-unchanged`,
  section,
  check: ({ sent, returned }) =>
    equal(name.replace(/^[a-z]+-/, '').replaceAll('-', ' '), pick(sent), pick(returned)),
});

type Clause = ClauseOf<TracePassage<TraceView>>;

const ofNode =
  (check: (node: IoamNode, passage: TracePassage<TraceView>) => Finding) =>
  (passage: TracePassage<TraceView>): Finding =>
    passage.node === undefined ? undefined : check(passage.node, passage);

/** Clauses for nodes of all traces: RFC 9197, whatever carries it. */
export const TRACE_CLAUSES: readonly Clause[] = [
  unchanged('ioam-reserved', TRACE_SECTION, ({ reserved }) => reserved),
  unchanged('ioam-namespace', TRACE_SECTION, ({ namespaceId }) => namespaceId),
  unchanged('ioam-node-length', TRACE_SECTION, ({ nodeWords }) => nodeWords),
  unchanged('ioam-trace-type', TRACE_SECTION, ({ traceType }) => traceType),
  unchanged('ioam-loopback-and-active', FLAGS, ({ otherFlags }) => otherFlags),
  {
    name: 'ioam-remaining-length-right',
    section: TRACE_SECTION,
    check: ({ sent, returned, pushed, isKnown }) =>
      isKnown
        ? equal('remaining length', sent.remainingWords - pushed, returned.remainingWords)
        : undefined,
  },
  {
    name: 'ioam-overflow-without-room',
    section: TRACE_SECTION,
    check: ({ sent, returned, isKnown }) =>
      isKnown && !hasRoom(sent) ? equal('O', true, returned.overflow) : undefined,
  },
  {
    name: 'ioam-overflow-unchanged-with-room',
    section: TRACE_SECTION,
    check: ({ sent, returned }) =>
      hasRoom(sent) ? equal('O', sent.overflow, returned.overflow) : undefined,
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
    section: TRACE_SECTION,
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

/** Words that a node takes; undefined for types with snapshots, whose length is the node's. */
export const wordsOfNode = ({ traceType }: TraceView): number | undefined =>
  hasSnapshot(traceType) ? undefined : ioamNodeWords(traceType);

/** True if a node has room: one whose data have a length of its own needs a word of header at least. */
const hasRoom = (view: TraceView): boolean =>
  view.remainingWords >= (wordsOfNode(view) ?? view.nodeWords + 1);

/** Words that the node was to write into the trace, or has written, `found`, where it may choose. */
function wordsPushed(sent: TraceView, found: number, isKnown: boolean): number {
  if (!isKnown || !hasRoom(sent)) return 0;
  const words = wordsOfNode(sent);
  if (words === undefined) return Math.max(0, found);
  // Undefined bits may keep a node from writing, and O lets it pass the trace over.
  const mayChoose = sent.overflow || (sent.traceType & UNDEFINED_BITS) !== 0;
  return mayChoose && found === 0 ? 0 : words;
}

/** A kind of trace, and what carries it. */
export interface TraceForm<View extends TraceView> {
  /** Kind of the trace, for sentences. */
  readonly what: string;
  /** Reads a frame, which is read as the frame `like` that it was before; undefined where it has no trace. */
  readonly view: (bytes: Uint8Array, like?: Uint8Array) => View | undefined;
  readonly clauses: readonly ClauseOf<TracePassage<View>>[];
  /** Words by which a trace has become more. */
  readonly found: (sent: View, returned: View) => number;
  /** Where in the data the node has written so many words. */
  readonly nodeAt: (sent: View, pushed: number) => number;
}

/** Judges what a transit node makes of packets with a trace, one after the other. */
export class TraceJudge<View extends TraceView> {
  readonly #form: TraceForm<View>;
  readonly #namespaceId: number;
  #previousSeconds: number | undefined;

  /** @param namespaceId the one that the node knows. */
  constructor(form: TraceForm<View>, namespaceId: number) {
    this.#form = form;
    this.#namespaceId = namespaceId;
  }

  /** @returns a sentence where one of the packets has no trace. */
  judge(sent: Uint8Array, returned: Uint8Array): readonly Verdict[] | string {
    const { what, view, clauses, found, nodeAt } = this.#form;
    const before = view(sent);
    if (before === undefined) return `the packet that was sent has no ${what}`;
    const after = view(returned, sent);
    if (after === undefined) return `the packet that came back has no ${what}`;
    const isKnown = before.namespaceId === this.#namespaceId;
    const pushed = wordsPushed(before, found(before, after), isKnown);
    const node =
      pushed === 0 ? undefined : nodeIn(after.data, before.traceType, nodeAt(before, pushed));
    const passage = { sent: before, returned: after, isKnown, pushed, node };
    const verdicts = judgeBy(clauses, { ...passage, previousSeconds: this.#previousSeconds });
    this.#previousSeconds = node?.seconds ?? this.#previousSeconds;
    return verdicts;
  }
}

function nodeIn(data: Uint8Array, traceType: number, offset: number): IoamNode | undefined {
  const node = parseIoamNode(data, offset, data.length, traceType);
  return node instanceof WireFault ? undefined : node;
}
