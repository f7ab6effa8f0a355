import { InputError } from '../../../common/errors';
import type { PeerAnswer, PeerEvent, PeerMessage } from './peer';

/** Version of the lines; the first one has it. */
export const PEER_PROTOCOL = 1;

/** Fault of a peer that says nothing more. */
export const PEER_ENDED = 'the peer ended in the middle of a run';

/** Network as a peer sees it. */
export interface PeerNetwork {
  readonly ranks: number;
  /** Ranks of each dimension, whose product are all of them. */
  readonly dimensions: readonly number[];
  /** Rate of a rank's link of each dimension, in Gb/s. */
  readonly rates: readonly number[];
}

/** `network 1 RANKS DIMENSION,… GBPS,…`: what a run begins with. */
export const networkLine = ({ ranks, dimensions, rates }: PeerNetwork): string =>
  `network ${PEER_PROTOCOL} ${ranks} ${dimensions.join()} ${rates.join()}`;

/** `at PS ID …`: what has happened. */
export const eventLine = ({ now, arrived }: PeerEvent): string => ['at', now, ...arrived].join(' ');

/** `done PS`: the network is at rest behind the last message. */
export const doneLine = (now: number): string => `done ${now}`;

/** `error TEXT`: the other side has to end, too. */
export const errorLine = (text: string): string => `error ${text.replaceAll(/\s+/g, ' ')}`;

/** Most messages of one answer. */
const MESSAGES_MAX = 10_000_000;

/**
 * Reads an answer: any number of `send ID FROM TO BYTES`, and at its end `go` with or without an instant in ps at which
 * to be woken, or `end` where all ranks are done.
 * @param next gives the next line; undefined: there is none.
 * @throws InputError for other lines, and for `error TEXT`, by which the peer says why it ends.
 */
export function readAnswer(next: () => string | undefined): PeerAnswer {
  const messages: PeerMessage[] = [];
  for (;;) {
    const line = next();
    if (line === undefined) throw new InputError(PEER_ENDED);
    const [verb, ...words] = line.split(' ');
    if (verb === 'error') throw new InputError(`the peer ended: ${words.join(' ')}`);
    const [a, b, c, d] = words.map(whole);
    if (words.length > 4 || words.some((word) => whole(word) === undefined)) throw unknown(line);
    if (verb === 'go' && words.length <= 1) return { messages, wakeAt: a, isEnd: false };
    if (verb === 'end' && words.length === 0) return { messages, wakeAt: undefined, isEnd: true };
    if (verb !== 'send' || a === undefined || b === undefined) throw unknown(line);
    if (c === undefined || d === undefined) throw unknown(line);
    if (messages.length === MESSAGES_MAX) {
      throw new InputError(`the peer sends more than ${MESSAGES_MAX} messages at once`);
    }
    messages.push({ id: a, from: b, to: c, bytes: d });
  }
}

function whole(word: string): number | undefined {
  const value = /^\d{1,16}$/.test(word) ? Number(word) : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

const unknown = (line: string): InputError =>
  new InputError(
    `the peer said '${line.slice(0, 80)}', where 'send ID FROM TO BYTES', 'go', 'go PS', 'end' or 'error TEXT' was expected`,
  );
