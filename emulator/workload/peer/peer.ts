import type { Bytes, Instant } from '../../../common/units/units';

/** An instant at which something has happened that the peer has to know. */
export interface PeerEvent {
  readonly now: Instant;
  /** Ids of the messages that have arrived, in their order; none where the peer asked to be woken. */
  readonly arrived: readonly number[];
}

/** A message of one rank to another. */
export interface PeerMessage {
  /** Chosen by the peer; no other message has it until this one has arrived. */
  readonly id: number;
  readonly from: number;
  readonly to: number;
  /** 0 counts as 1. */
  readonly bytes: Bytes;
}

/** Decisions of the peer at that instant. */
export interface PeerAnswer {
  readonly messages: readonly PeerMessage[];
  /** When it wants to be woken, unless something arrives before. */
  readonly wakeAt: Instant | undefined;
  /** All ranks are done: nothing follows. */
  readonly isEnd: boolean;
}

/** A program that decides what is sent when, such as astra-sim. Virtual time stands still while it does. */
export interface Peer {
  /** @throws InputError where it has ended, or says what is not understood. */
  exchange(event: PeerEvent): PeerAnswer;
}
