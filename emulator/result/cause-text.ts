import { figureAt } from '../figures/dictionary';
import { figureText } from '../figures/figure-text';
import type { Cause, CausePart, FlowCauses } from './flow-causes';

/** Parts of a flow's time that are one answer to the question why it was slow. */
export interface CauseGroup {
  readonly cause: Cause;
  readonly at?: string | undefined;
  readonly way?: CausePart['way'];
  readonly timeUs: number;
  readonly share: number;
  /** The shortest span with at least half of the longest part. */
  readonly fromUs: number;
  readonly toUs: number;
  /** Other flows that were before it, by number, the longest first. */
  readonly flows: readonly number[];
}

/** Causes in words, as heads of rows. */
const WORDS: Readonly<Record<Cause, string>> = {
  queue: 'packets waited behind others',
  sharing: 'its rate gave way to others',
  pause: 'paused',
  retransmission: 'loss, and sending again',
  window: 'its own window was full',
  pacing: 'its own pacing rate',
  draining: 'waited for bytes in flight',
  interface: "its host's interface sent others",
  receiver: 'the receiver had not acknowledged yet',
  application: 'nothing to send',
  serialisation: 'its own bytes, at link rate',
  propagation: 'length of the path',
  other: 'not explained',
};

/** A cause in words; acknowledgements that wait are another story than data. */
export function causeText({ cause, way }: Pick<CauseGroup, 'cause' | 'way'>): string {
  if (cause !== 'queue' || way === undefined || way === 'data') return WORDS[cause];
  return way === 'request'
    ? 'its request waited behind others'
    : 'acknowledgements waited behind others';
}

/** A direction of a link as people say it: `s1:17->h17:1` is `s1 to h17`; a host is itself. */
export function placeText(at: string | undefined): string {
  const [, from, to] = /^(.+):\d+->(.+):\d+$/.exec(at ?? '') ?? [];
  return from === undefined || to === undefined ? (at ?? '') : `${from} to ${to}`;
}

/** The parts with what is one thing to a reader taken together: what links inherently take. */
export function causeGroups({ parts }: FlowCauses): CauseGroup[] {
  const inherent: readonly Cause[] = ['serialisation', 'propagation'];
  return mergedBy(parts, ({ cause, at = '', way = '' }) =>
    inherent.includes(cause) ? cause : `${cause} ${way} ${at}`,
  ).map((group) =>
    inherent.includes(group.cause) ? { ...group, at: undefined, way: undefined } : group,
  );
}

/**
 * The one thing that took most of the time. Packets that wait at a port, and a rate that is low since
 * others use that port, are one cause.
 */
export function mainCause({ parts }: FlowCauses): CauseGroup | undefined {
  const isOthers = ({ cause, way }: CausePart): boolean =>
    cause === 'sharing' || (cause === 'queue' && way === 'data');
  const [main] = mergedBy(parts, (part) => {
    const { cause, at = '', way = '' } = part;
    if (isOthers(part)) return `others ${at}`;
    return cause === 'serialisation' || cause === 'propagation' ? cause : `${cause} ${way} ${at}`;
  });
  return main;
}

function mergedBy(parts: readonly CausePart[], keyOf: (part: CausePart) => string): CauseGroup[] {
  const groups = new Map<string, CausePart[]>();
  for (const part of parts) {
    const key = keyOf(part);
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return [...groups.values()]
    .flatMap((same) => {
      const [longest] = same;
      if (longest === undefined) return [];
      const ids = same.flatMap(({ flows }) => flows.flatMap(({ id }) => id ?? []));
      return [
        {
          ...longest,
          timeUs: same.reduce((sum, { timeUs }) => sum + timeUs, 0),
          share: same.reduce((sum, { share }) => sum + share, 0),
          flows: [...new Set(ids)],
        },
      ];
    })
    .toSorted((a, b) => b.timeUs - a.timeUs);
}

/** A sentence that says how long the flow took, and mainly why. */
export function causeVerdict(causes: FlowCauses): string {
  const { flow, source, destination, fctUs, slowdown } = causes;
  const took = figureText(figureAt('causes.*.fctUs'), fctUs);
  const times = figureText(figureAt('causes.*.slowdown'), slowdown);
  const main = mainCause(causes);
  const begin = `Flow ${flow}, ${source} to ${destination}, took ${took}, ${times} times as long as alone`;
  if (main === undefined) return `${begin}.`;
  const share = figureText(figureAt('causes.*.parts.*.share'), main.share);
  return `${begin}: ${share} of it ${reasonText(main)}.`;
}

function reasonText({ cause, at, way, flows }: CauseGroup): string {
  const place = placeText(at);
  const others = flows.length === 0 ? 'others' : counted(flows.length);
  switch (cause) {
    case 'queue':
      if (way === 'request') return `its request waited behind ${others} at ${place}`;
      return way === 'acknowledgement'
        ? `its acknowledgements waited behind ${others} at ${place}`
        : `${others} had the link from ${place}`;
    case 'sharing':
      return `${others} had the link from ${place}`;
    case 'pause':
      return at === place ? `${place} was paused` : `the link from ${place} was paused`;
    case 'retransmission':
      return 'went into what was lost, until it had been sent again';
    case 'window':
      return 'its own window was full while its path had room';
    case 'pacing':
      return 'its own pacing rate held it back while its path had room';
    case 'draining':
      return 'it waited for its bytes in flight';
    case 'interface':
      return `the interface of ${place} sent ${others}`;
    case 'receiver':
      return `${place} had its data and had not acknowledged it yet`;
    case 'application':
      return 'it had been given nothing to send';
    case 'serialisation':
      return 'its own bytes took at the rate of its slowest link; nothing held it back';
    case 'propagation':
      return 'is the length of its path';
    case 'other':
      return 'is not explained';
  }
}

const counted = (flows: number): string => (flows === 1 ? 'another flow' : `${flows} other flows`);
