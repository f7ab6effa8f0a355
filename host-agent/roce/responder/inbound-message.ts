import type { Bytes } from '../../../common/units/units';
import type { NakReason } from '../packets/extended-headers';
import type { MemoryRegion } from './memory-region';
import { grantMemory } from './memory-region';
import type { DataRequest } from '../packets/roce-packet';

/** A SEND or WRITE of which some packets have arrived. */
export interface InboundMessage {
  readonly kind: DataRequest['kind'];
  /** Offset of the next byte. */
  readonly offset: number;
  /** Bytes to come; a SEND does not say how many. */
  readonly rest: Bytes | undefined;
}

/** Treatment of the next packet in order: where its payload goes, and what is expected behind it. */
export type Admission =
  | {
      readonly kind: 'admitted';
      readonly offset: number;
      /** Undefined behind the last packet. */
      readonly next: InboundMessage | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: NakReason };

export interface AdmissionRules {
  readonly mtu: Bytes;
  readonly region: MemoryRegion;
  /** Offset of the first byte of a SEND. */
  readonly sendOffset: number;
}

/**
 * Checks a packet of a SEND or WRITE against the message that it continues, or begins (InfiniBand
 * architecture, volume 1, section 9.7.4.1). Changes nothing.
 */
export function admit(
  current: InboundMessage | undefined,
  request: DataRequest,
  rules: AdmissionRules,
): Admission {
  const { kind, position, payloadLength } = request;
  const begins = position === 'first' || position === 'only';
  const ends = position === 'last' || position === 'only';
  if (begins !== (current === undefined)) return INVALID;
  if (current !== undefined && current.kind !== kind) return INVALID;
  const isFull = payloadLength === rules.mtu;
  const isAllowed = ends
    ? payloadLength <= rules.mtu && (payloadLength > 0 || position === 'only')
    : isFull;
  if (!isAllowed) return INVALID;
  const message = current ?? begin(request, rules);
  if (message === undefined) {
    return { kind: 'refused', reason: 'remote-access-error' };
  }
  const { offset, rest } = message;
  // A message ends where its length says, neither before nor behind.
  if (rest !== undefined && (ends ? rest !== payloadLength : rest <= payloadLength)) return INVALID;
  const left = rest === undefined ? undefined : rest - payloadLength;
  const next = ends ? undefined : { kind, offset: offset + payloadLength, rest: left };
  return { kind: 'admitted', offset, next };
}

/** Undefined if the memory may not be written. */
function begin(
  { kind, reth }: DataRequest,
  { region, sendOffset }: AdmissionRules,
): InboundMessage | undefined {
  if (kind === 'send' || reth === undefined) return { kind, offset: sendOffset, rest: undefined };
  const granted = grantMemory(region, reth, 'write');
  return granted && { kind, offset: granted.offset, rest: granted.length };
}

const INVALID: Admission = { kind: 'refused', reason: 'invalid-request' };
